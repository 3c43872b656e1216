/** Plans searches: their words, their language, and the fields in which a typo is tolerated. D6. */
import { quoteValue } from '../../../kernel/lib/quote-value.ts'
import { storageProblem } from '../../../kernel/lib/storable.ts'
import type { Field } from '../../model/field.ts'
import { searchedFields } from '../../model/search-vector.ts'
import type { Table } from '../../model/table.ts'
import type { SearchOptions } from '../parse/ast.ts'
import { parseSearch, type SearchTerm, termsOf } from '../parse/search.ts'
import type { Predicate, Search } from '../predicate.ts'

interface Problem {
  problem: string
}

const lengthMax = 1000
const termsMax = 100
const typosMax = 10

/** Plans a search in a table. */
export function planSearch(
  table: Table,
  text: unknown,
  { language, fuzzy }: SearchOptions,
): Search | Problem {
  const { schema, name } = table
  const problem = searchProblem(table, text)
  if (problem) return { problem }
  const query = parseSearch(text as string)
  const all = termsOf(query, { wanted: false })
  if (all.length > termsMax) return { problem: `A search may have ${termsMax} words at most.` }
  const typos = fuzzy ? typoFields(table) : []
  if (fuzzy && typos.length === 0)
    return {
      problem: `"${name}" has no trigram index of a searched field, which _fuzzy needs.`,
    }
  if (typos.length > 0 && all.filter(isTolerant).length > typosMax)
    return { problem: `With _fuzzy, a search may have ${typosMax} longer words at most.` }
  return { kind: 'search', table, query, language: language ?? schema.search_language ?? 'english', typos }
}

function searchProblem(table: Table, text: unknown): string | undefined {
  if (searchedFields(table.schema).length === 0)
    return `"${table.name}" cannot be searched: its schema has no search_fields.`
  if (typeof text !== 'string')
    return `A search is a text, for example {"search": "bridge"}; ${quoteValue(text)} is not.`
  if (text.trim() === '') return 'A search needs at least one word.'
  if (text.length > lengthMax) return `A search may have ${lengthMax} characters at most.`
  return storageProblem(text)
}

/** Returns the searched fields with a trigram index, which finds words with a typo. */
const typoFields = ({ schema, fields }: Table): Field[] => {
  const indexed = (schema.indexes ?? []).filter(({ method, where }) => method === 'trigram' && !where)
  return searchedFields(schema).flatMap(({ field }) =>
    indexed.some((index) => index.fields.includes(field)) ? (fields.get(field) ?? []) : [],
  )
}

/** The lengths at which a word may have a typo. Shorter words resemble too many others. */
const tolerant = /^[\p{L}\p{N}]{5,30}$/u

/** Tells whether a word may have a typo. */
export const isTolerant = ({ kind, text }: SearchTerm): boolean => kind === 'word' && tolerant.test(text)

/** Returns the search that all records must match. They can be sorted by its rank. */
export const searchOf = (where: Predicate): Search | undefined =>
  (where.kind === 'and' ? where.of : [where]).find((member) => member.kind === 'search')

/** The results of a search that records show. */
export interface Found {
  search: Search
  showsRank: boolean
  /** The fields whose words are marked. */
  highlights: readonly Field[]
}
