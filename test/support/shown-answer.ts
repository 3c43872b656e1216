/** Responses as documents show them: `…` stands for omitted text. */
import type { Outcome } from './shell-examples.ts'

export interface Shown {
  language: 'http' | 'text'
  text: string
}

export const shownAnswer = (language: Shown['language'], text: string): Shown => ({ language, text })

/**
 * Returns the difference between an outcome and the shown response. If none is shown, every request must
 * succeed.
 */
export function difference(shown: Shown | undefined, outcome: Outcome): string | undefined {
  const { statuses, output, errors } = outcome
  const successful = shown?.language === 'http' ? statuses.slice(0, -1) : statuses
  const failed = successful.find((status) => status < 200 || status >= 400)
  if (failed !== undefined) return `a request answered ${failed}: ${output}`
  if (!shown) return errors.trim() === '' || statuses.length > 0 ? undefined : errors
  if (shown.language === 'text') return matches(shown.text, `${output}${errors}`)
  return differenceOfAnswer(shown.text, outcome)
}

function differenceOfAnswer(shown: string, { statuses, head, answer }: Outcome): string | undefined {
  const [headShown = '', ...rest] = shown.split('\n\n')
  const [statusLine = '', ...headers] = headShown.split('\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})( |$)/.exec(statusLine)?.[1])
  if (status !== statuses.at(-1)) return `answered ${statuses.at(-1)} instead of ${status}: ${answer}`
  const lines = head.split(/\r?\n/)
  for (const header of headers) {
    const [name = ''] = header.split(':')
    const line = lines.find((candidate) => candidate.toLowerCase().startsWith(`${name.toLowerCase()}:`)) ?? ''
    const problem = matches(contentOf(header), contentOf(line))
    if (problem) return `the header ${name}: ${problem}`
  }
  const body = rest.join('\n\n').trim()
  if (body === '') return undefined
  const given = withoutHead(answer)
  const pattern = parsed(withMarks(body))
  const value = parsed(given)
  return pattern === undefined || value === undefined
    ? matches(body, given.replaceAll('\r\n', '\n'))
    : differenceOfValue(pattern, value, '')
}

const contentOf = (header: string) => header.slice(header.indexOf(':') + 1).trim()

/** Returns the output without the head that `curl -i` prints. */
const withoutHead = (output: string) =>
  output.startsWith('HTTP/') ? output.slice(output.search(/\r?\n\r?\n/)).trimStart() : output

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Replaces `…` outside strings by JSON: a value after a colon or in an array, else a property. */
const withMarks = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|(:\s*)?…(?=(\s*\})?)/g, (found, colon?: string, end?: string) => {
    if (found.startsWith('"')) return found
    return !colon && end ? '"…": "…"' : `${colon ?? ''}"…"`
  })

function differenceOfValue(pattern: unknown, value: unknown, path: string): string | undefined {
  if (typeof pattern === 'string' && pattern.includes('…')) {
    const problem = pattern === '…' ? undefined : matches(pattern, String(value))
    return problem && `${path}: ${problem}`
  }
  if (Array.isArray(pattern) && Array.isArray(value)) return differenceOfLists(pattern, value, path)
  if (isObject(pattern) && isObject(value)) return differenceOfObjects(pattern, value, path)
  return Object.is(pattern, value)
    ? undefined
    : `${path || 'the answer'} is ${JSON.stringify(value)}, not ${JSON.stringify(pattern)}`
}

function differenceOfLists(pattern: unknown[], value: unknown[], path: string): string | undefined {
  const isOpen = pattern.at(-1) === '…'
  const members = isOpen ? pattern.slice(0, -1) : pattern
  if (isOpen ? value.length < members.length : value.length !== members.length)
    return `${path} has ${value.length} members: ${JSON.stringify(value)}`
  return first(members.map((member, index) => differenceOfValue(member, value[index], `${path}[${index}]`)))
}

function differenceOfObjects(
  pattern: Record<string, unknown>,
  value: Record<string, unknown>,
  path: string,
): string | undefined {
  const { '…': open, ...members } = pattern
  const unknown = open ? [] : Object.keys(value).filter((name) => !Object.hasOwn(members, name))
  if (unknown.length > 0) return `${path} also has ${unknown.join(', ')}`
  return first(
    Object.entries(members).map(([name, member]) =>
      differenceOfValue(member, value[name], `${path}.${name}`),
    ),
  )
}

const first = (problems: (string | undefined)[]) => problems.find((problem) => problem !== undefined)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Compares texts. `…` matches any text, also of several lines. */
function matches(pattern: string, text: string): string | undefined {
  const source = pattern
    .trim()
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^]*')
  return new RegExp(`^${source}$`).test(text.trim()) ? undefined : `"${text.trim()}" is not "${pattern}"`
}
