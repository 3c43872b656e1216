/**
 * Paths: `maker.about.power`, `about__power`, `about."a.b"`, `about->'power'`. This is their only reader.
 * Names are separated by dots, arrows or `__`. A name in double quotes, in which quotes are doubled, is taken
 * as it is. Fields can have `__` in their names, so only a table tells where the path inside a field begins.
 */

import { quotedAt } from '../../kernel/lib/quoted.ts'

/** A text between two separators. */
export interface Part {
  text: string
  isQuoted: boolean
  /** The separator before it. Arrows count as dots. */
  separator: '' | '.' | '__'
}

/** A path as it is written. */
export interface Path {
  parts: readonly Part[]
  /** The text after the last `::`. */
  type: string | undefined
}

/** What a text may contain besides names in quotes: the bare names, and the separators. */
interface Style {
  first: RegExp
  bare: RegExp
  separator: RegExp
  /** The problem of a text that is not a name. */
  missing: string
}

/** In a text that is a path as a whole, a bare name ends only at a separator or a quote. */
const alone: Style = {
  first: /(?:(?!->)[^."])*/y,
  bare: /(?:(?!->)[^."])*/y,
  separator: /(\.)|->>?/y,
  missing: '',
}

/** In an expression, a bare name has letters, digits and underscores, or is the position of an item. */
const inExpression: Style = {
  first: /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy,
  bare: /-?\d+(?![\p{L}\p{M}\p{N}_])|[\p{L}\p{M}\p{N}_]+/uy,
  separator: /\s*(?:(\.)|->>?)\s*/y,
  missing: 'The name of a field is expected here.',
}

/** The most characters of a path. Longer ones would exhaust the stack of the patterns. */
const lengthMax = 10_000

const notClosed = 'The quote that begins here is not closed.'
const misplacedQuote = 'A name that has a quote is written in quotes, with its quotes doubled: "a""b".'

interface Problem {
  problem: string
  /** The position of the problem in the text, from 0. */
  at: number
}

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Reads the name that begins at a position. Quotes of the other kind are only possible after an arrow. */
function nameAt(
  text: string,
  at: number,
  style: Style,
  afterArrow: boolean,
): Problem | { text: string; isQuoted: boolean; end: number } {
  const quote = text[at]
  if (quote === '"' || (afterArrow && quote === "'")) {
    const quoted = quotedAt(text, at)
    return quoted ? { text: quoted.value, isQuoted: true, end: quoted.end } : { problem: notClosed, at }
  }
  const match = matchAt(style.bare, text, at)
  return match
    ? { text: match[0], isQuoted: false, end: at + match[0].length }
    : { problem: style.missing, at }
}

/** Reads the path that begins at a position, up to the first text that cannot be a part of it. */
function readParts(text: string, start: number, style: Style): Problem | { parts: Part[]; end: number } {
  const parts: Part[] = []
  let at = start
  let separator: Part['separator'] = ''
  let afterArrow = false
  for (;;) {
    const name = nameAt(text, at, at === start ? { ...style, bare: style.first } : style, afterArrow)
    if ('problem' in name) return name
    const { end, ...named } = name
    at = end
    const joinsQuoted = !named.isQuoted && text[at] === '"' && named.text.endsWith('__')
    parts.push({ ...named, text: joinsQuoted ? named.text.slice(0, -2) : named.text, separator })
    const mark = matchAt(style.separator, text, at)
    if (joinsQuoted || (named.isQuoted && text.startsWith('__', at))) {
      separator = '__'
      afterArrow = false
      at += joinsQuoted ? 0 : 2
    } else if (mark) {
      separator = '.'
      afterArrow = mark[1] === undefined
      at += mark[0].length
    } else return { parts, end: at }
  }
}

/** Reads the path in an expression; undefined if none begins at the position. */
export function pathInExpression(
  text: string,
  at: number,
): Problem | { path: Path; end: number } | undefined {
  if (text[at] !== '"' && !matchAt(inExpression.first, text, at)) return undefined
  const read = readParts(text, at, inExpression)
  return 'problem' in read ? read : { path: { parts: read.parts, type: undefined }, end: read.end }
}

/** Reads a text that is a path as a whole, perhaps with a type after it: `about.power::number`. */
export function pathOf(text: string): Path | { problem: string } {
  if (text.length > lengthMax) return { problem: `A path may have ${lengthMax} characters at most.` }
  const read = readParts(text, 0, alone)
  if ('problem' in read) return { problem: read.problem }
  const { parts, end } = read
  const last = parts.at(-1) as Part
  const rest = text.slice(end)
  if (last.isQuoted && rest.startsWith('::')) return { parts, type: rest.slice(2) }
  if (rest !== '') return { problem: misplacedQuote }
  const at = last.isQuoted ? -1 : last.text.lastIndexOf('::')
  if (at === -1) return { parts, type: undefined }
  return {
    parts: [...parts.slice(0, -1), { ...last, text: last.text.slice(0, at) }],
    type: last.text.slice(at + 2),
  }
}

const needsQuotes = /[.",]|::|->|__|^\s|\s$|^$/

/** Writes parts of a path, with quotes only where they are needed. */
export const pathText = (parts: readonly Part[]): string =>
  parts
    .map(({ text, isQuoted, separator }, position) => {
      const written = isQuoted && needsQuotes.test(text) ? `"${text.replace(/"/g, '""')}"` : text
      return `${position === 0 ? '' : separator}${written}`
    })
    .join('')

/** The name of a field, and the names that lead to a value inside it. */
export interface Located {
  field: string
  inside: readonly Part[]
}

const fieldNameMax = 63

/**
 * Finds the field that a path begins with; undefined if there is none. The separator after the field is the
 * one of the whole path: `about.a__b` has the member `a__b`, `about__a.b` has the member `a.b`.
 */
export function locate(fields: { has(name: string): boolean }, parts: readonly Part[]): Located | undefined {
  const [first, ...others] = parts as [Part, ...Part[]]
  if (fields.has(first.text)) return { field: first.text, inside: namesIn(others) }
  if (first.isQuoted) return undefined
  const { text } = first
  for (let at = text.lastIndexOf('__', fieldNameMax); at > 0; at = text.lastIndexOf('__', at - 1)) {
    const field = text.slice(0, at)
    if (fields.has(field))
      return {
        field,
        inside: namesIn([{ text: text.slice(at + 2), isQuoted: false, separator: '__' }, ...others]),
      }
  }
  return undefined
}

function namesIn(parts: readonly Part[]): Part[] {
  if (parts[0]?.separator !== '__') return [...parts]
  const names: Part[] = []
  for (const part of parts) {
    const last = names.at(-1)
    const [head = '', ...more] = part.isQuoted ? [part.text] : part.text.split('__')
    // A dot between bare names belongs to the name.
    if (part.separator === '.' && last && !last.isQuoted && !part.isQuoted)
      names.splice(-1, 1, { ...last, text: `${last.text}.${head}` })
    else names.push({ ...part, text: head })
    names.push(...more.map((text): Part => ({ text, isQuoted: false, separator: '__' })))
  }
  return names
}
