/**
 * The steps of a schema change that adapt the versions of records to the new fields: names change, and values
 * are converted like those of the records. A value in a version that cannot be converted is lost.
 */
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Field } from '../../model/field.ts'
import { isVersioned, type VersionedTable, versionsOf } from '../../model/history.ts'
import { documentColumn, documentOf } from '../../model/storage.ts'
import { type Conversion, conversionOf } from '../conversions.ts'
import { alteration } from '../ddl/alteration.ts'
import { compare, type KeptField } from '../ddl/compare.ts'
import { hasMember, removeMember, renameFields, rewriteDocuments } from '../jsonb/field-steps.ts'
import { shape } from '../jsonb/shape.ts'
import type { DdlStep, TableChange } from '../provider.ts'

/** Returns the steps, in their order. */
export function historyFieldSteps(change: TableChange): DdlStep[] {
  const { after } = change
  if (!isVersioned(after)) return []
  const { kept, dropped, added } = compare(change, shape)
  return [
    ...dropped.map((field) => dropStep(after, field)),
    ...renameFields(versionsOf(after), kept).map(inHistory),
    ...kept.flatMap((field) => convertStep(after, field)),
    ...added.map((field) => addStep(after, field)),
  ]
}

const inHistory = (step: DdlStep): DdlStep => ({ ...step, description: `${step.description} in the history` })

const dropStep = (table: VersionedTable, field: Field): DdlStep => ({
  ...inHistory(alteration(table, `Drop field ${field.name}`, [removeMember(versionsOf(table), field)], [])),
  destructive: true,
})

/** Versions from before the change do not have the new member. A rollback removes it from later versions. */
const addStep = (table: VersionedTable, field: Field): DdlStep =>
  inHistory(alteration(table, `Add field ${field.name}`, [], [removeMember(versionsOf(table), field)]))

function convertStep(table: VersionedTable, { before, after, conversion }: KeptField): DdlStep[] {
  if (!conversion) return []
  const back = conversionOf(after, before) as Conversion
  const past = { ...before, name: after.name }
  return [
    inHistory(
      alteration(
        table,
        `Convert field ${after.name} from ${before.schema.type} to ${after.schema.type}`,
        [converted(table, past, conversion)],
        [converted(table, after, back)],
      ),
    ),
  ]
}

function converted(table: VersionedTable, field: Field, { survives, cast }: Conversion): Sql {
  const versions = versionsOf(table)
  const value = versions.storage.field(field)
  const next = survives ? sql`case when ${survives(value)} then ${cast(value)} end` : cast(value)
  return rewriteDocuments(
    versions,
    sql`${documentColumn} || ${documentOf([[field, next]])}`,
    sql`${hasMember(field.name)} and ${value} is not null`,
  )
}
