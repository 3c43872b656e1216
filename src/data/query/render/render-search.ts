/**
 * Renders searches. Functions of Postgres build the query of a search, and each accepts any bound text. So no
 * text of a client is invalid.
 */
import { emptySql, join, literal, type Sql, sql } from '../../../db/sql.ts'
import { escapeLike } from '../../../lib/escape-like.ts'
import { searchColumn, searchVector } from '../../model/search-vector.ts'
import type { Field } from '../../model/table.ts'
import { type SearchNode, type SearchTerm, termsOf, withoutExcluded } from '../parse/search.ts'
import { type Found, isTolerant } from '../plan/search.ts'
import type { Search } from '../predicate.ts'
import { fieldSql, type Row } from '../row.ts'

/** Renders the condition that a row matches a search. */
export function renderSearch(search: Search, of: Row): Sql {
  const { query, typos } = search
  const vector = vectorOf(search, of)
  const whole = queryOf(query, search)
  if (typos.length === 0) return sql`${vector} @@ ${whole}`
  // A search of stop words only finds nothing. Together with other words, stop words are ignored.
  return sql`(numnode(${whole}) > 0 and ${matches(query)})`

  function matches(node: SearchNode): Sql {
    if (node.kind === 'not') return sql`(${matches(node.of)}) is not true`
    if ('of' in node)
      return node.of.length === 0
        ? sql`true`
        : sql`(${join(node.of.map(matches), node.kind === 'and' ? sql` and ` : sql` or `)})`
    const term = queryOf(node, search)
    const exact = sql`${vector} @@ ${term}`
    if (!isTolerant(node)) return sql`(numnode(${term}) = 0 or ${exact})`
    const alike = typos.map((field) => isAlike(fieldSql(field, of), node.text.toLowerCase()))
    return sql`(${exact} or ${join(alike, sql` or `)})`
  }
}

/**
 * Renders the rank of a row in a search: a higher one is a better match. It does not depend on excluded
 * terms: Postgres ranks all rows equally for a query of several terms one of which is excluded.
 */
export const searchRank = (search: Search, of: Row): Sql =>
  sql`ts_rank(${vectorOf(search, of)}, ${queryOf(withoutExcluded(search.query), search)})`

/** Returns the search vector of the table, or one of the same fields in another language. */
function vectorOf({ table, language }: Search, of: Row): Sql {
  const { schema, fields } = table
  if (language === (schema.search_language ?? 'english')) return sql`${of.alias}.${searchColumn(schema)}`
  const columnOf = (name: string) => fieldSql(fields.get(name) as Field, of)
  return sql`(${searchVector(schema, columnOf, sql`${language}`) ?? emptySql})`
}

/** Renders a query of the type tsquery. Stop words such as `the` do not appear in it. */
function queryOf(node: SearchNode, search: Search): Sql {
  if (node.kind === 'not') return sql`(!! ${queryOf(node.of, search)})`
  if ('of' in node) {
    if (node.of.length === 0) return sql`''::tsquery`
    const by = node.kind === 'and' ? sql` && ` : sql` || `
    return sql`(${join(
      node.of.map((one) => queryOf(one, search)),
      by,
    )})`
  }
  return termQuery(node, search)
}

function termQuery({ kind, text }: SearchTerm, { language }: Search): Sql {
  if (kind !== 'prefix') return sql`phraseto_tsquery(${language}::regconfig, ${text})`
  // Quotes make the text a single operand. The beginning of a word need not be a word, so it is also searched
  // literally.
  const quoted = `'${text.replace(/['\\]/g, '$&$&')}':*`
  return sql`(to_tsquery('simple', ${quoted}) || to_tsquery(${language}::regconfig, ${quoted}))`
}

/**
 * Renders the condition that a text has a word that differs from another word by one wrong, missing or
 * additional character, or by two swapped characters. Then one half of the word matches exactly, or the two
 * characters in the middle are swapped. An index can find both.
 */
function isAlike(text: Sql, word: string): Sql {
  const letters = [...word]
  const middle = Math.floor(letters.length / 2)
  const start = letters.slice(0, middle).join('')
  const parts = [letters.slice(middle).join(''), swapped(letters, middle - 1)]
  const has = parts.map((part) => sql`${text} ilike ${`%${escapeLike(part)}%`}`)
  return sql`((${text} ~* ${`(^|\\W)${start}`} or ${join(has, sql` or `)}) and ${text} ~* ${typos(letters)})`
}

/** Returns the letters as a text in which the letter at a position and the next one are swapped. */
const swapped = (letters: readonly string[], at: number): string =>
  [...letters.slice(0, at), letters[at + 1], letters[at], ...letters.slice(at + 2)].join('')

/** Returns the pattern of a word with at most one typo. The letters have no special meaning in patterns. */
function typos(letters: readonly string[]): string {
  const before = (at: number) => letters.slice(0, at).join('')
  const from = (at: number) => letters.slice(at).join('')
  const variants = letters.flatMap((_, at) => [
    `${before(at)}\\w?${from(at + 1)}`,
    `${before(at)}\\w${from(at)}`,
    ...(at > 0 ? [swapped(letters, at - 1)] : []),
  ])
  return `\\m(?:${[...variants, `${letters.join('')}\\w`].join('|')})\\M`
}

/** Renders the columns that show how a search found a record. */
export function foundColumns({ search, showsRank, highlights }: Found, of: Row): Sql[] {
  const rank = showsRank ? [sql`${searchRank(search, of)} as _rank`] : []
  if (highlights.length === 0) return rank
  const wanted = queryOf({ kind: 'or', of: termsOf(search.query, { wanted: true }) }, search)
  const marked = highlights.map((field) => {
    const text = sql`tessera.highlight(${search.language}::regconfig, ${fieldSql(field, of)}, ${wanted})`
    return sql`${literal(field.name)}, ${text}`
  })
  return [...rank, sql`json_build_object(${join(marked)}) as _highlight`]
}
