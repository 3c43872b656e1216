/**
 * Changes the schema of a table of documents: objects that depend on a change are dropped, documents are
 * rewritten, and objects are added.
 */
import { alterComments } from '../ddl/comments.ts'
import { columnsOf, compare } from '../ddl/compare.ts'
import { losingOf } from '../ddl/losing.ts'
import { addObject, detachKey, dropObject, reattachKey, renameObjects } from '../ddl/object-steps.ts'
import { onlineChangeOf } from '../ddl/online.ts'
import { risksOf } from '../ddl/risks.ts'
import type { DdlStep, TableChange } from '../provider.ts'
import {
  addField,
  convertField,
  dropField,
  numberRecords,
  releaseField,
  renameFields,
} from './field-steps.ts'
import { shape } from './shape.ts'

/** See Provider. */
export function alterTable(change: TableChange, isLarge: boolean): DdlStep[] {
  const { before, after } = change
  const compared = compare(change, shape)
  const { keptObjects, droppedObjects, addedObjects, inbound } = compared
  const { kept, dropped, added } = columnsOf(compared)
  const risks = risksOf(change, compared)
  const onlineChange = isLarge ? onlineChangeOf(change, compared, shape) : undefined
  return [
    ...inbound.map((foreign) => detachKey(before, foreign)),
    ...droppedObjects.toReversed().map((object) => dropObject(before, object)),
    ...kept.flatMap((field) => releaseField(change, field)),
    ...dropped.map((field) => dropField(before, field)),
    ...renameFields(after, kept),
    ...renameObjects(after, keptObjects),
    ...kept.flatMap((field) =>
      convertField(after, field).map((step) => ({
        ...step,
        risks: risks.conversion(field),
        losing: losingOf(change.before, field.before, field.after),
      })),
    ),
    // NOT NULL is a check, and so one of the objects.
    ...added.map((field) => addField(after, field)),
    ...kept.flatMap((field) => numberRecords(change, field)),
    ...addedObjects.map((object) => ({
      ...(onlineChange?.object(object) ?? addObject(after, object)),
      risks: risks.object(object),
    })),
    ...inbound.toReversed().map((foreign) => reattachKey(after, foreign)),
    ...alterComments(change, kept),
  ]
}
