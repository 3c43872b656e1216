/** Changes from random schemas to others and back, with records in the table. D8, D9. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ForeignKeySchema, TableSchema } from '../../../src/data/model/schema-form.ts'
import { compileTable, type Table, tableRowOf } from '../../../src/data/model/table.ts'
import { parseTableSchema, schemaHash } from '../../../src/data/model/table-schema.ts'
import { dropForeignKey } from '../../../src/data/providers/ddl/objects.ts'
import { onlineStages } from '../../../src/data/providers/online-statement.ts'
import type { DdlStep, Provider } from '../../../src/data/providers/provider.ts'
import { providers } from '../../../src/data/providers/registry.ts'
import { dropOrphan, type Orphan, selectOrphans } from '../../../src/data/schema-changes/orphan-statements.ts'
import { keptFields } from '../../../src/data/schema-changes/renames.ts'
import { inputOf, inspectRecords, neededFields } from '../../../src/data/write/parse/validate.ts'
import { statementsOf } from '../../../src/kernel/db/batch.ts'
import { DatabaseFailure } from '../../../src/kernel/db/failures.ts'
import { renderText, Sql, sql } from '../../../src/kernel/db/sql.ts'
import { createSite, type Site, startApp, type TestApp } from '../../support/app.ts'
import { catalogOf } from '../../support/catalog.ts'
import type { Results } from '../../support/results.ts'
import { runs } from '../../support/runs.ts'
import { scaled } from '../../support/scaled.ts'
import {
  diceOf,
  type RandomChange,
  randomChange,
  randomRecords,
  randomSchema,
  target,
  targetRecords,
} from '../../support/schemas.ts'
import { runInSite } from '../../support/tenant.ts'

let app: TestApp
let site: Site
let siteId: number
let targets: Table

/** Runs one transaction as the site's role. */
const run = (...statements: Sql[]): Promise<Results> => runInSite(app, site, statements)

const tableOf = (name: string, schema: TableSchema, providerType = 'flat_table'): Table =>
  compileTable(siteId, {
    id: 7,
    name,
    json_schema: schema,
    schema_hash: schemaHash(schema),
    physical_table_name: `app_${name}`,
    is_materialized: true,
    source: null,
    datasource: { slug: 'main', providerType },
  })

const targetOf = (table: Table, { reference }: ForeignKeySchema) =>
  reference.resource === '' ? table : targets
const providerOf = ({ datasource }: Table) => providers.get(datasource.providerType) as Provider
const created = (table: Table): Sql[] => [
  ...providerOf(table).createTable(table).statements,
  ...(table.schema.foreignKeys ?? []).flatMap(
    (key) => providerOf(table).addForeignKey(table, key, targetOf(table, key)).statements,
  ),
]
const dropped = (table: Table): Sql[] => [
  ...(table.schema.foreignKeys ?? []).flatMap((key) =>
    targetOf(table, key) === table ? [] : dropForeignKey(table, key, targetOf(table, key)),
  ),
  sql`drop table ${table.relation}`,
]
const emptied = ({ relation }: Table) => sql`delete from ${relation}`
const refuse = (index: number, field: string, message: string) => {
  throw new Error(`rows[${index}].${field}: ${message}`)
}
const inserted = (table: Table, records: readonly Record<string, unknown>[]): Sql[] => {
  const body = { records, bulk: true, text: JSON.stringify(records) }
  return records.length === 0
    ? []
    : statementsOf(
        providerOf(table).insertRecords(table, {
          input: inputOf(
            table,
            body,
            inspectRecords(table, body.records, { required: neededFields(table) }, refuse),
          ),
          references: [],
          returnsRecords: true,
          ignoresTaken: false,
        }),
      )
}

const catalog = ({ relation }: Table) => new Sql([catalogOf(renderText(relation))], [])
const catalogIn = (results: Results, statement: number) =>
  results.one<{ catalog: unknown }>(statement).catalog

interface Pair {
  schema: TableSchema
  change: RandomChange
  records: Record<string, unknown>[]
  /** Whether the table is changed online, like a large one. */
  online: boolean
}

const pairs = () =>
  fc.gen().map((gen): Pair => {
    const dice = diceOf(gen, fc)
    const before = randomSchema(dice)
    const change = randomChange(dice, before)
    const records = randomRecords(dice, tableOf('any', before))
    return { schema: before, change, records, online: dice.chance(20) }
  })

function stepsOf(before: Table, after: Table, { origins }: RandomChange, online: boolean): DdlStep[] {
  const kept = keptFields(before.schema, after.schema, origins)
  if ('problems' in kept) throw new Error(String(kept.problems))
  const keys = [before, after].flatMap((table) =>
    (table.schema.foreignKeys ?? []).map((key) => [key, targetOf(table, key)] as const),
  )
  return providerOf(before).alterTable(
    { before, after, kept, referenced: new Map(keys), inbound: [] },
    online,
  )
}

/** Runs the statements of the online phase, each in its own transaction. */
async function runOnlinePhase(steps: readonly DdlStep[]): Promise<void> {
  const work = steps.flatMap(({ onlinePhase = [] }) => onlinePhase)
  for (const stage of onlineStages) {
    for (const { statement } of work.filter((candidate) => candidate.stage === stage)) await alone(statement)
  }
}

async function tidied(table: Table): Promise<void> {
  for (const orphan of (await run(selectOrphans(table))).rows<Orphan>(-1))
    await alone(dropOrphan(table, orphan))
}

const alone = async (statement: Sql): Promise<void> => {
  await app.sql(renderText(statement))
}

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'altering')
  siteId = Number(site.schema.slice('site_'.length))
  const parsed = parseTableSchema(target)
  if ('problems' in parsed) throw new Error(String(parsed.problems))
  targets = tableOf('targets', parsed.schema)
  await run(...created(targets), ...inserted(targets, targetRecords))
})

describe.each([
  ['flat_table', runs(20, 600)],
  ['jsonb', runs(8, 150)],
])('changing a random schema of a %s datasource to another one', (providerType, numRuns) => {
  let tables = 0

  it('gives the table that the new schema creates, and the rollback restores the old one', {
    timeout: scaled(600_000),
  }, async () => {
    const property = fc.asyncProperty(pairs(), async ({ schema, change, records, online }) => {
      const name = `${providerType}_${tables++}`
      const [before, after] = [
        tableOf(name, schema, providerType),
        tableOf(name, change.schema, providerType),
      ]
      const steps = stepsOf(before, after, change, online)
      const risks = steps.flatMap((step) => step.risks ?? [])

      const wanted = catalogIn(
        await run(...created(after), catalog(after), ...dropped(after)),
        -1 - dropped(after).length,
      )
      const made = await run(
        ...created(before),
        ...inserted(before, records),
        catalog(before),
        ...risks.map((risk) => risk.records),
      )
      const original = catalogIn(made, -1 - risks.length)
      const isRefused = risks.some((_, position) => made.rows(position - risks.length).length > 0)

      const migrated = async () => {
        await runOnlinePhase(steps)
        return catalogIn(await run(...steps.flatMap(({ statements }) => statements), catalog(after)), -1)
      }
      // The change fails, as a whole, if and only if records violate the new schema.
      if (isRefused) {
        await expect(migrated()).rejects.toThrow()
        await tidied(before)
        expect(catalogIn(await run(catalog(before), emptied(before)), -2)).toEqual(original)
      }
      expect(await migrated()).toEqual(wanted)

      const rolledBack = async () =>
        catalogIn(await run(...steps.toReversed().flatMap(({ rollback }) => rollback), catalog(before)), -1)
      const past = await rolledBack().catch(async (failure) => {
        // A rollback may fail for one reason only: the old schema needs values that the change has dropped.
        if (
          !(
            failure instanceof DatabaseFailure &&
            /^2[23]/.test(failure.sqlstate) &&
            steps.some(({ destructive, losing }) => destructive || losing)
          )
        )
          throw failure
        expect(catalogIn(await run(catalog(after), emptied(after)), -2)).toEqual(wanted)
        return rolledBack()
      })
      expect(past).toEqual(original)
      await run(...dropped(before))
    })
    await fc.assert(property, { numRuns, endOnFailure: true })
  })
})

describe.each(['flat_table', 'jsonb'])('renaming a table of a %s datasource', (providerType) => {
  let tables = 0

  it('gives a table that equals a new one of that name, except for keys to other tables, and can be undone', {
    timeout: scaled(240_000),
  }, async () => {
    const property = fc.asyncProperty(pairs(), async ({ schema: random, records }) => {
      const schema = {
        ...random,
        foreignKeys: random.foreignKeys?.filter(({ reference }) => reference.resource === ''),
      }
      const before = tableOf(`${providerType}_named_${tables++}`, schema, providerType)
      const after = compileTable(siteId, { ...tableRowOf(before), physical_table_name: `_deleted_${tables}` })
      const { renameTable } = providerOf(before)
      const wanted = catalogIn(
        await run(...created(after), catalog(after), ...dropped(after)),
        -1 - dropped(after).length,
      )
      const original = catalogIn(
        await run(...created(before), ...inserted(before, records), catalog(before)),
        -1,
      )
      expect(catalogIn(await run(...renameTable(before, after), catalog(after)), -1)).toEqual(wanted)
      expect(catalogIn(await run(...renameTable(after, before), catalog(before)), -1)).toEqual(original)
      await run(...dropped(before))
    })
    await fc.assert(property, { numRuns: runs(8, 150), endOnFailure: true })
  })
})
