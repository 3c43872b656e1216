/**
 * Statements of the platform on the tables that all sites share. The platform's role owns the tables, so that no
 * policy holds it to one site: each statement must name the site itself.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

/** Statements that are meant for the rows of all sites, or that the policies hold to one: file, table. */
const exceptions: [file: string, table: string, why: string][] = [
  ['migrations/functions/sites/erase_rows.sql', '%1$I', 'by the places of rows that it finds by the site'],
  ['src/kernel/db/answer-sweep.ts', '_kept_answers', 'deletes what is due in all sites'],
  ['src/operation/watching/status/store.ts', '_deliveries', 'shows what waits in all sites'],
]

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const filesIn = (pattern: string) =>
  globSync(pattern, { cwd: root }).map((file) => file.replaceAll('\\', '/'))

const statements: [file: string, text: string][] = [
  ...filesIn('migrations/functions/**/*.sql').flatMap((file) =>
    read(file)
      .replace(/--.*$/gm, '')
      .split(';')
      .map((text): [string, string] => [file, text]),
  ),
  ...filesIn('{src,dev}/**/*.ts').flatMap((file) =>
    [...read(file).matchAll(/`(?:[^`\\]|\\.)*`/g)].map(([text]): [string, string] => [file, text]),
  ),
]

const notAnAlias = new Set(['where', 'set', 'for', 'from', 'using', 'select', 'values', 'on', 'order'])

/** Returns the tables in `tenant` that a statement names without a condition on their site. */
function unheld(text: string): string[] {
  // Not where it names the type of a row.
  const named = text.matchAll(
    /(?<=\b(?:from|join|update|into|using)\s+|,\s*)tenant\.(_[a-z_]+|%\d?\$?I)(?:\s+(?:as\s+)?([a-z]\w*))?/g,
  )
  return [...named]
    .filter(([, table = '', alias = '']) => {
      if (table.endsWith('_seq')) return false
      const column = `\\b${notAnAlias.has(alias) || alias === '' ? table : alias}\\.site_id`
      const isHeld = new RegExp(`${column}\\s*(=|in\\b)|=\\s*${column}|\\(${column}, .*\\) (=|in)`)
      const isInserted = new RegExp(`insert into tenant\\.${table}\\s*(as \\w+\\s*)?\\(site_id\\b`)
      return !isHeld.test(text) && !isInserted.test(text)
    })
    .map(([, table = '']) => table)
}

const found = statements.flatMap(([file, text]) => unheld(text).map((table) => `${file} ${table}`))

describe("a statement of the platform on a table of all sites' rows", () => {
  it('names the site of each table, or is one of those for all sites', () =>
    expect(found.filter((each) => !exceptions.some(([file, table]) => each === `${file} ${table}`))).toEqual(
      [],
    ))

  it.each(exceptions)('is still an exception: %s, %s, %s', (file, table) =>
    expect(found).toContain(`${file} ${table}`),
  )

  it.each([
    'select * from tenant._apps a where a.id = 1',
    'update tenant._apps set name = $1',
    'insert into tenant._locks (name) values ($1)',
    'select * from tenant._apps a join tenant._functions f on f.app_id = a.id where f.site_id = 1',
  ])('is noticed without a site: %s', (text) => expect(unheld(text)).not.toEqual([]))

  it.each([
    'select * from tenant._apps a where a.site_id = $1',
    'select * from tenant._apps a join tenant._functions f on f.site_id = a.site_id and f.app_id = a.id',
    'insert into tenant._locks (site_id, name) values ($1, $2)',
    'delete from tenant._kept_answers k where (k.site_id, k.key) in (select $1, $2)',
  ])('is accepted with one: %s', (text) => expect(unheld(text)).toEqual([]))
})
