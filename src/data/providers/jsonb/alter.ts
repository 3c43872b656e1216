/** From one schema to another, as for a real table: what stands on what changes goes, the documents are rewritten, and it comes back. */
import { alterComments } from '../ddl/comments.ts'
import { compare } from '../ddl/compare.ts'
import { add, back, drop, renameObjects, without } from '../ddl/object-steps.ts'
import { aheadOf } from '../ddl/online.ts'
import { risksOf } from '../ddl/risks.ts'
import type { DdlStep, TableChange } from '../provider.ts'
import { addField, convert, dropField, number, release, renameFields } from './field-steps.ts'
import { shape } from './shape.ts'

/** See Provider. */
export function alterTable(change: TableChange, online: boolean): DdlStep[] {
  const { before, after } = change
  const compared = compare(change, shape)
  const { kept, dropped, added, keptObjects, droppedObjects, addedObjects, inbound } = compared
  const risks = risksOf(change, compared)
  const ahead = online ? aheadOf(change, compared, shape) : undefined
  return [
    ...inbound.map((foreign) => without(before, foreign)),
    ...droppedObjects.toReversed().map((object) => drop(before, object)),
    ...kept.flatMap((field) => release(change, field)),
    ...dropped.map((field) => dropField(before, field)),
    ...renameFields(after, kept),
    ...renameObjects(after, keptObjects),
    ...kept.flatMap((field) => convert(after, field).map((step) => ({ ...step, risks: risks.conversion(field) }))),
    // That it may be required is a check of its own, which comes with the objects.
    ...added.map((field) => addField(after, field)),
    ...kept.flatMap((field) => number(change, field)),
    ...addedObjects.map((object) => ({ ...(ahead?.object(object) ?? add(after, object)), risks: risks.object(object) })),
    ...inbound.toReversed().map((foreign) => back(after, foreign)),
    ...alterComments(change, kept),
  ]
}
