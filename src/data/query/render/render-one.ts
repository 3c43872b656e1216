/** Renders the plan of one record as a statement that returns its text and its version. */

import { recordWithin } from '../../../kernel/db/answer-size.ts'
import { emptySql, OneSql, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { OnePlan } from '../plan/plan.ts'
import { row } from '../row.ts'
import { measureRecords } from './answer-size.ts'
import { plainRecord } from './plain-record.ts'
import { renderPredicate } from './render.ts'
import { annotationsBeside } from './render-annotations.ts'
import { recordSelection, selectedRecords } from './render-record.ts'

/** The answer of one record. */
export interface OneRow {
  /** The record as JSON text. */
  data: string
  /** The version of the record itself, without populated records. */
  etag: string
}

/**
 * Renders one record: one row, or none. For `parts/7` the statement is:
 *
 *     select "id", "code", "price", "_row".xmin as _version
 *       from "site_7"."shop_parts" "_row" where "_row"."id" = 7
 */
export function renderOne(plan: OnePlan): Sql<OneRow> {
  const { table, where, annotations, fields, populate } = plan
  const beside = annotations ? annotationsBeside(annotations) : emptySql
  const from = sql`from ${table.rows} ${row.alias}${beside} where ${renderPredicate(where, row)}`
  const measure = measureRecords(table, { fields, populate: [] }, { of: undefined, rows: 1 })
  const version = sql`${recordWithin(sql`${row.alias}.xmin`, measure)} as _version`
  const plain = populate.length === 0 && !annotations ? plainRecord(table, fields) : undefined
  if (plain)
    return new OneSql<OneRow>(sql`select ${plain.columns}, ${version} ${from}`, (text) =>
      readVersioned(plain.reform(text)),
    )
  const { columns, unwrap } = recordSelection(selectedRecords(table, plan))
  return new OneSql<OneRow>(sql`select ${columns}, ${version} ${from}`, (text) => {
    const { data, etag } = readVersioned(text)
    return { data: unwrap(data), etag }
  })
}

const versionMember = ',"_version":"'

/** Separates the version, the last column `_version`, from the JSON object of a row. */
export function readVersioned(text: string): OneRow {
  const end = text.lastIndexOf(versionMember)
  return { data: `${text.slice(0, end)}}`, etag: text.slice(end + versionMember.length, -'"}'.length) }
}
