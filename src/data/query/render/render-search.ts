/**
 * Renders searches. Functions of Postgres build the query of a search, and each accepts any bound text. So no
 * text of a client is invalid.
 */
import { emptySql, join, literal, type Sql, sql } from '../../../kernel/db/sql.ts'
import { escapeLike } from '../../../kernel/lib/escape-like.ts'
import type { Field } from '../../model/field.ts'
import { punctuation, searchColumn, searchVector, wordVector } from '../../model/search-vector.ts'
import { type SearchNode, type SearchTerm, termsOf, withoutExcluded } from '../parse/search.ts'
import { type Found, isTolerant } from '../plan/search.ts'
import type { Search } from '../predicate.ts'
import { fieldSql, type Row } from '../row.ts'

/** Renders the condition that a row matches a search. */
export function renderSearch(search: Search, of: Row): Sql {
  const { query, typos } = search
  const vector = vectorOf(search, of)
  const isPlain = typos.length === 0 && !hasPrefix(query)
  if (isPlain) return sql`${vector} @@ ${queryOf(query, search)}`
  return part(query, sql`> 0 and`)

  function matches(node: SearchNode): Sql {
    if (node.kind === 'not') return sql`(${matches(node.of)}) is not true`
    if ('of' in node) {
      if (node.of.length === 0) return sql`true`
      const parts = node.of.map((one) => part(one, node.kind === 'and' ? sql`= 0 or` : sql`> 0 and`))
      return sql`(${join(parts, node.kind === 'and' ? sql` and ` : sql` or `)})`
    }
    const exact = sql`${vector} @@ ${queryOf(node, search)}`
    if (node.kind === 'prefix') return sql`(${exact} or ${wordsOf(search, of)} @@ ${wordQuery(node.text)})`
    if (typos.length === 0 || !isTolerant(node)) return exact
    const alike = typos.map((field) => isAlike(fieldSql(field, of), node.text.toLowerCase()))
    return sql`(${exact} or ${join(alike, sql` or `)})`
  }

  /** A search of stop words only finds nothing. Together with other words, stop words are ignored. */
  function part(node: SearchNode, unlessStopped: Sql): Sql {
    return hasPrefix(node)
      ? matches(node)
      : sql`(numnode(${queryOf(node, search)}) ${unlessStopped} ${matches(node)})`
  }
}

/** Tells whether a search has the beginning of a word, which is never a stop word. */
const hasPrefix = (node: SearchNode): boolean =>
  termsOf(node, { wanted: false }).some(({ kind }) => kind === 'prefix')

/**
 * Renders the rank of a row in a search: a higher one is a better match. It does not depend on excluded
 * terms: Postgres ranks all rows equally for a query of several terms one of which is excluded.
 */
export function searchRank(search: Search, of: Row): Sql {
  const wanted = withoutExcluded(search.query)
  const rankIn = (vector: Sql) => sql`ts_rank(${vector}, ${queryOf(wanted, search)})`
  const rank = rankIn(vectorOf(search, of))
  return hasPrefix(wanted) ? sql`greatest(${rank}, ${rankIn(wordsOf(search, of))})` : rank
}

/** Returns the vector of the words of the searched fields. */
const wordsOf = ({ table: { schema, fields } }: Search, of: Row): Sql =>
  wordVector(schema, (name) => fieldSql(fields.get(name) as Field, of)) ?? emptySql

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

/** The class of the signs that separate words, for patterns. */
const signs = punctuation.replace(/[\]\\^-]/g, '\\$&')
/** Separates the words of a text as `wordVector` does. */
const separators = new RegExp(`[\\s${signs}]+`, 'u')

/** Renders the query of words in their order, of which the last one may be the beginning of a word. */
function wordQuery(text: string): Sql {
  const words = text.split(separators).filter((word) => word !== '')
  return sql`to_tsquery('simple', ${`${words.map((word) => `'${word}'`).join(' <-> ')}:*`})`
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

/** Renders a text as HTML in which the words of a search are marked. */
function highlighted(text: Sql, search: Search): Sql {
  const terms = termsOf(search.query, { wanted: true })
  const beginnings = terms.filter(({ kind }) => kind === 'prefix')
  const wanted = queryOf({ kind: 'or', of: terms }, search)
  const html = (of: Sql) => sql`tessera.highlight(${search.language}::regconfig, ${of}, ${wanted})`
  if (beginnings.length === 0) return html(text)
  const words = join(
    beginnings.map((term) => wordQuery(term.text)),
    sql` || `,
  )
  // Words that have both marks keep those of their beginnings.
  return replaced(html(markedBeginnings(text, words)), [
    [`${starts}<mark>`, starts],
    [`</mark>${ends}`, ends],
    [starts, '<mark>'],
    [ends, '</mark>'],
  ])
}

/** Control characters that stand for the marks of beginnings, and for a blank after a sign. */
const [starts, ends, blank] = ['\x03', '\x04', '\x05']

/**
 * Marks words by their beginnings, which the stems of the words need not have. The words are those of
 * `wordVector`: after each sign stands a character that ends a word.
 */
function markedBeginnings(text: Sql, words: Sql): Sql {
  const cleared = sql`translate(${text}, ${`${starts}${ends}${blank}`}, '')`
  const separated = sql`regexp_replace(${cleared}, ${`([${signs}])`}, ${`\\1${blank}`}, 'g')`
  const options = `HighlightAll=true, StartSel="${starts}", StopSel="${ends}"`
  return sql`translate(ts_headline('simple'::regconfig, ${separated}, ${words}, ${options}), ${blank}, '')`
}

const replaced = (text: Sql, pairs: readonly (readonly [from: string, to: string])[]): Sql =>
  pairs.reduce((all, [from, to]) => sql`replace(${all}, ${from}, ${to})`, text)

/** Renders the columns that show how a search found a record. `json`: the names of those that are JSON. */
export function foundColumns(
  { search, showsRank, highlights }: Found,
  of: Row,
): { columns: Sql[]; json: readonly string[] } {
  const rank = showsRank ? [sql`${searchRank(search, of)} as _rank`] : []
  if (highlights.length === 0) return { columns: rank, json: [] }
  const marked = highlights.map(
    (field) => sql`${literal(field.name)}, ${highlighted(fieldSql(field, of), search)}`,
  )
  return {
    columns: [...rank, sql`json_build_object(${join(marked)}) as _highlight`],
    json: ['_highlight'],
  }
}
