/**
 * Parses the content of records: `fields`, and `populate` in its short form or as JSON with questions. R5.
 */
import { nearest } from '../../../kernel/lib/nearest.ts'
import { parseJson } from '../../../kernel/lib/parse-json.ts'
import { quoteValue } from '../../../kernel/lib/quote-value.ts'
import type { Problems } from '../problems.ts'
import type { FieldTerm, PopulateQuestion, PopulateTerm, SortTerm, View } from './ast.ts'
import { parseFilter } from './filter-tree.ts'

/** The most levels of populated records. */
export const populateDepthMax = 3

/** The most records of one relationship in a record, and the most that a question can skip. */
export const relatedMax = 100
const relatedOffsetMax = 10_000

/** Matches a term up to the next comma outside of quotes. */
const term = /(?:"(?:[^"]|"")*"|->>?'(?:[^']|'')*'|[^,])*/y

/** Splits the value of a parameter at its commas, but not at those in the quotes of a path. */
export function commaSeparated(text: string | undefined): string[] {
  const parts: string[] = []
  for (let at = 0; text && at <= text.length; at = term.lastIndex + 1) {
    term.lastIndex = at
    parts.push(term.exec(text)?.[0]?.trim() ?? '')
  }
  return parts
}

/** Parses the terms of an order. A `-` before a name sorts in descending order. */
export const parseTerms = (parameter: string, text: string | undefined): SortTerm[] =>
  commaSeparated(text).map((term) => {
    const descending = term.startsWith('-')
    return { parameter, name: descending ? term.slice(1) : term, descending }
  })

/**
 * Parses the content of records. `read` returns the value of a parameter. Adds each problem to `problems`.
 */
export function parseView(read: (parameter: string) => string | undefined, problems: Problems): View {
  const fields = parseFields('fields', '', read('fields'))
  const text = read('populate')
  if (!text?.trimStart().startsWith('{'))
    return { fields, populate: commaSeparated(text).map((path) => ({ path })) }
  const parsed = parseJson(text)
  if ('problem' in parsed) problems.add('populate', parsed.problem)
  const input = 'value' in parsed ? parsed.value : {}
  const view = parseObject(input, '', problems)
  return { populate: view.populate, fields: [...fields, ...view.fields] }
}

const parseFields = (parameter: string, within: string, text: string | undefined): FieldTerm[] =>
  commaSeparated(text).map((term) => {
    const excluded = term.startsWith('-')
    return { parameter, within, name: excluded ? term.slice(1) : term, excluded }
  })

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses an object of relationships. `within` is the path of the records that have them, or empty. */
function parseObject(input: unknown, within: string, problems: Problems): View {
  if (!isObject(input)) {
    problems.add('populate', `${placeOf(within)}An object is required, for example {"maker": {}}.`)
    return { populate: [], fields: [] }
  }
  const views = Object.entries(input).map(([name, question]): View => {
    const path = within ? `${within}.${name}` : name
    if (name.includes('.') || name === '*')
      problems.add('populate', `${placeOf(within)}${quoteValue(name)} must be the name of one relationship.`)
    else if (!isObject(question))
      problems.add('populate', `${placeOf(path)}An object is required, for example {} or {"limit": 5}.`)
    else if (path.split('.').length <= populateDepthMax) return parseQuestion(question, path, problems)
    else problems.add('populate', `A path may follow ${populateDepthMax} relationships at most.`)
    return { populate: [], fields: [] }
  })
  return {
    populate: views.flatMap(({ populate }) => populate),
    fields: views.flatMap(({ fields }) => fields),
  }
}

const placeOf = (path: string): string => (path ? `${path}: ` : '')

/** Functions that each read a member of the options, or return its problem. */
const members: Readonly<
  Record<string, (value: unknown, question: PopulateQuestion, problems: Problems) => string | undefined>
> = {
  filters(value, question, problems) {
    question.filters = [parseFilter('populate', value, problems)]
    return undefined
  },
  ordering(value, question) {
    if (typeof value !== 'string') return 'ordering must be a text, for example "-created_at,id".'
    question.sort = parseTerms('populate', value)
    return undefined
  },
  limit(value, question) {
    if (!Number.isInteger(value) || Number(value) < 0 || Number(value) > relatedMax)
      return `limit must be a whole number from 0 to ${relatedMax}.`
    question.limit = Number(value)
    return undefined
  },
  offset(value, question) {
    if (!Number.isInteger(value) || Number(value) < 0 || Number(value) > relatedOffsetMax)
      return `offset must be a whole number from 0 to ${relatedOffsetMax}.`
    question.offset = Number(value)
    return undefined
  },
  count(value, question) {
    if (typeof value !== 'boolean') return 'count must be true or false.'
    question.count = value
    return undefined
  },
}

/** The members of a question that determine the content of its records. */
const viewMembers = ['fields', 'populate']

/** Parses the options for the records of one relationship. */
function parseQuestion(input: Record<string, unknown>, path: string, problems: Problems): View {
  const within = problems.within('populate', placeOf(path))
  const question: PopulateQuestion = { filters: [], sort: [], limit: undefined, offset: 0, count: false }
  const views: View[] = []
  for (const [name, value] of Object.entries(input)) {
    const member = Object.hasOwn(members, name) ? members[name] : undefined
    const problem = member ? member(value, question, within) : viewProblem(name, value)
    if (problem) within.add('populate', problem)
    else if (name === 'fields')
      views.push({ populate: [], fields: parseFields('populate', path, String(value)) })
    else if (name === 'populate') views.push(parseBelow(value, path, problems))
  }
  return {
    populate: [{ path, question }, ...views.flatMap(({ populate }) => populate)],
    fields: views.flatMap(({ fields }) => fields),
  }
}

function viewProblem(name: string, value: unknown): string | undefined {
  if (name === 'populate') return undefined
  if (name === 'fields')
    return typeof value === 'string' ? undefined : 'fields must be a text, for example "id,name".'
  const known = [...Object.keys(members), ...viewMembers]
  const near = nearest(name, known)
  const question = near ? ` Did you mean "${near}"?` : ''
  return `Unknown member ${quoteValue(name)}.${question} Members: ${known.join(', ')}.`
}

/** Parses the relationships of populated records, in either form. */
function parseBelow(value: unknown, path: string, problems: Problems): View {
  if (typeof value !== 'string') return parseObject(value, path, problems)
  const populate = commaSeparated(value).map((below): PopulateTerm => ({ path: `${path}.${below}` }))
  return { populate, fields: [] }
}
