/** The answer of writes without conflicts: the text of the records, which is passed on, and numbers. */
import { aggregateWithin } from '../../../kernel/db/answer-size.ts'
import { DataSql } from '../../../kernel/db/data-sql.ts'
import { emptySql, join, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Table } from '../../model/table.ts'
import { measureRecords } from '../../query/render/answer-size.ts'
import { plainRecord } from '../../query/render/plain-record.ts'
import { entityTag } from '../../query/render/render.ts'
import { recordColumns } from '../../query/render/render-record.ts'
import type { RecordInsert, UpsertedRecords } from '../provider.ts'
import { recordsWithinLimit } from './ctes.ts'
import { isCreated } from './one-record.ts'

/** How records are written. */
interface PlainWrite {
  /** The CTEs before the one that writes, each followed by a comma. Omitted: there are none. */
  before?: Sql
  /** The write, without `returning`. */
  write: Sql
  /** Further columns of the CTE `_written`. Each is preceded by a comma. */
  more?: Sql
  /** The rows of `_written` in an order. Omitted: in the order in which they are written. */
  ordered?: { from: Sql; order: Sql }
  /** Whether it may change records that were there. Only then the answer has the number of the others. */
  isUpsert?: boolean
}

/**
 * Returns the statement of a write. If it is alone, its text is not put into JSON again, and is not parsed.
 */
export function plainRecords(
  table: Table,
  { input: { count }, returnsRecords, isAlone = false }: RecordInsert,
  { before = emptySql, write, more = emptySql, ordered, isUpsert = false }: PlainWrite,
): Sql<UpsertedRecords> {
  const plain = isAlone ? plainRecord(table) : undefined
  const created = isUpsert ? sql`, ${isCreated}` : emptySql
  const countOfCreated = isUpsert ? sql`count(*) filter (where _created)` : sql`0`
  const counts = sql`count(*) as written, ${countOfCreated} as created`
  const withWritten = (columns: Sql) =>
    sql`with ${before}_written as (${write} returning ${columns}${created}) `
  if (!returnsRecords)
    return sql`${withWritten(sql`1 as _one`)} select null as data, null as etag, ${counts} from _written`
  const fields = join([...table.fields.values()].map(({ column }) => column))
  const item = sql`_record`
  const measure = measureRecords(table, { fields: undefined, populate: [] }, { of: item, rows: count })
  const array = sql`json_agg(_record${ordered ? sql` order by ${ordered.order}` : emptySql})`
  const records = aggregateWithin(array, { measure, item, rows: count })
  const query = sql<UpsertedRecords>`
    select ${recordsWithinLimit} as data, etag, written, created
      from (select ${records}::text as records, min(${entityTag}) as etag, ${counts}
              from ${ordered?.from ?? sql`_written`}, lateral (select ${fields}) _record offset 0) _answer`
  const ctes = withWritten(sql`${plain?.columns ?? recordColumns(table)}, _row.xmin as _version${more}`)
  if (!isAlone) return sql`${ctes}${query}`
  const columns = ['etag', 'written', 'created']
  const read = (found: UpsertedRecords) => ({
    ...found,
    data: found.data === null || !plain ? found.data : plain.reformAll(found.data, count),
  })
  return new DataSql(query, columns, read, ctes)
}
