/** From any schema to any other and back, with records in the table: what Postgres has of it afterwards. D8, D9. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { keptFields } from '../../../../src/data/datatables/migrations/renames.ts'
import { compileTable, type Table } from '../../../../src/data/datatables/table.ts'
import { type ForeignKeySchema, parseTableSchema, schemaHash, type TableSchema } from '../../../../src/data/datatables/table-schema.ts'
import { alterTable } from '../../../../src/data/providers/flat-table/alter.ts'
import { addForeignKey, createTable } from '../../../../src/data/providers/flat-table/create.ts'
import { insertRecords } from '../../../../src/data/providers/flat-table/insert.ts'
import type { DdlStep, TableChange } from '../../../../src/data/providers/provider.ts'
import { checkRecords } from '../../../../src/data/records/validate.ts'
import { type Database, openDatabase } from '../../../../src/db/client.ts'
import { DatabaseFailure } from '../../../../src/db/failures.ts'
import type { Results } from '../../../../src/db/results.ts'
import { literal, renderText, type Sql, sql } from '../../../../src/db/sql.ts'
import { configOf } from '../../../../src/env.ts'
import { createSite, startApp } from '../../../support/app.ts'
import { diceOf, randomChange, randomRecords, randomSchema, target, targetRecords } from '../../../support/schemas.ts'

let database: Database
let siteId: number
let targets: Table

const spent = { statements: 0, runs: 0 }
const run = (...statements: Sql[]): Promise<Results> => {
  spent.statements += statements.length
  spent.runs++
  return database.batch(
    [
      sql`select set_config('search_path', ${`site_${siteId}`}, true), set_config('role', ${`site_${siteId}`}, true), set_config('timezone', 'UTC', true)`,
      ...statements,
    ],
    30_000,
  )
}

const tableOf = (name: string, schema: TableSchema): Table =>
  compileTable(siteId, {
    id: 7,
    name,
    json_schema: schema,
    schema_hash: schemaHash(schema),
    physical_table_name: `app_${name}`,
    is_materialized: true,
    datasource: { slug: 'main', providerType: 'flat_table' },
  })

const targetOf = (table: Table, { reference }: ForeignKeySchema) => (reference.resource === '' ? table : targets)
const created = (table: Table): Sql[] => [
  ...createTable(table).statements,
  ...(table.schema.foreignKeys ?? []).flatMap((key) => addForeignKey(table, key, targetOf(table, key)).statements),
]
const dropped = (table: Table) => sql`drop table ${table.relation} cascade`

function inserted(table: Table, records: readonly Record<string, unknown>[]): Sql[] {
  if (records.length === 0) return []
  return insertRecords(table, JSON.stringify(records), records.length, checkRecords(table, records, true))
}

/** Everything that Postgres has of a table, the order of its columns aside. */
const catalog = ({ relation }: Table): Sql => sql`
  with t as (select ${literal(renderText(relation))}::regclass as oid)
  select json_build_object(
    'columns', (select json_object_agg(a.attname, json_build_array(
                  format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated, pg_get_expr(d.adbin, d.adrelid),
                  pg_get_serial_sequence(t.oid::regclass::text, a.attname)) order by a.attname)
                  from t join pg_attribute a on a.attrelid = t.oid left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
                 where a.attnum > 0 and not a.attisdropped),
    'constraints', (select json_object_agg(c.conname, json_build_array(c.contype, pg_get_constraintdef(c.oid), c.convalidated, c.condeferrable) order by c.conname)
                      from t join pg_constraint c on c.conrelid = t.oid where c.contype <> 'n'),
    'indexes', (select json_object_agg(i.relname, json_build_array(pg_get_indexdef(i.oid), x.indisvalid, x.indisready, x.indisunique, x.indisprimary) order by i.relname)
                  from t join pg_index x on x.indrelid = t.oid join pg_class i on i.oid = x.indexrelid),
    'referenced by', (select json_object_agg(c.conname, pg_get_constraintdef(c.oid) order by c.conname)
                        from t join pg_constraint c on c.confrelid = t.oid and c.conrelid <> t.oid and c.contype = 'f')
  )::text as catalog`

const textOf = (results: Results, statement: number) => JSON.parse(results.one<{ catalog: string }>(statement).catalog)
const forward = (steps: readonly DdlStep[]) => steps.flatMap(({ statements }) => statements)
const backward = (steps: readonly DdlStep[]) => steps.toReversed().flatMap(({ rollback }) => rollback)

beforeAll(async () => {
  const app = await startApp()
  const site = await createSite(app, 'altering')
  siteId = Number(site.schema.slice('site_'.length))
  database = openDatabase(configOf(app.env))
  const parsed = parseTableSchema(target)
  if ('problems' in parsed) throw new Error(String(parsed.problems))
  targets = tableOf('targets', parsed.schema)
  await run(...created(targets), ...inserted(targets, targetRecords))
})

const pairs = fc.gen().map((gen) => {
  const dice = diceOf(gen, fc)
  const schema = randomSchema(dice)
  const { schema: next, origins } = randomChange(dice, schema)
  return { schema, next, origins, records: randomRecords(dice, tableOf('any', schema)) }
})

function changeOf(before: Table, after: Table, origins: ReadonlyMap<string, string>): TableChange {
  const kept = keptFields(before.schema, after.schema, origins)
  if ('problems' in kept) throw new Error(String(kept.problems))
  const keys = [before, after].flatMap((table) => (table.schema.foreignKeys ?? []).map((key) => [key, targetOf(table, key)] as const))
  return { before, after, kept, referenced: new Map(keys), inbound: [] }
}

let runs = 0
const outcome = { clean: 0, refused: 0, lost: 0, records: 0, steps: 0 }

describe('changing a schema', () => {
  it('of any to any other makes what creating the other makes, and rolling back brings back what was', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(pairs, async ({ schema, next, origins, records }) => {
        const name = `t${runs++}`
        const before = tableOf(name, schema)
        const after = tableOf(name, next)
        const steps = alterTable(changeOf(before, after, origins), false)
        const risks = steps.flatMap((step) => step.risks ?? [])

        const reference = await run(...created(after), catalog(after), dropped(after))
        const wanted = textOf(reference, -2)
        const made = await run(...created(before), ...inserted(before, records), catalog(before), ...risks.map((risk) => risk.records))
        const original = textOf(made, -1 - risks.length)
        const named = risks.filter((_, position) => made.rows(position - risks.length).length > 0)
        outcome.records += records.length
        outcome.steps += steps.length

        const migrate = async () => textOf(await run(...forward(steps), catalog(after)), -1)
        if (named.length > 0) {
          // Records break the new schema: it is refused as a whole, and after they are gone it is not.
          await expect(migrate()).rejects.toBeInstanceOf(DatabaseFailure)
          expect(textOf(await run(catalog(before)), -1)).toEqual(original)
          await run(sql`delete from ${before.relation}`)
          outcome.refused++
        }
        expect(await migrate()).toEqual(wanted)

        const rollBack = async () => textOf(await run(...backward(steps), catalog(before)), -1)
        const back = await rollBack().catch(async (failure) => {
          // What the old schema needs was given up knowingly.
          expect(steps.some((step) => step.destructive) && failure instanceof DatabaseFailure ? true : failure).toBe(true)
          expect(textOf(await run(catalog(after)), -1)).toEqual(wanted)
          await run(sql`delete from ${after.relation}`)
          outcome.lost++
          return await rollBack()
        })
        expect(back).toEqual(original)
        outcome.clean++
        await run(dropped(before))
      }),
      { numRuns: 40, endOnFailure: true },
    )
    console.log(outcome, spent, database.spent)
  })
})
