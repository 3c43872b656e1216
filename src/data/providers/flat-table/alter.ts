/**
 * Changes the schema of a table with columns. The order of steps matters: objects that depend on a change are
 * dropped first; then columns are dropped, renamed, converted and added; then objects are added. Each step
 * finds the table in the state that the rollback of the next step restores.
 */

import { alterComments } from '../ddl/comments.ts'
import { columnsOf, compare } from '../ddl/compare.ts'
import { losingOf } from '../ddl/losing.ts'
import { addObject, detachKey, dropObject, reattachKey, renameObjects } from '../ddl/object-steps.ts'
import { onlineChangeOf } from '../ddl/online.ts'
import { risksOf } from '../ddl/risks.ts'
import type { DdlStep, TableChange } from '../provider.ts'
import { convertOnline } from './convert-online.ts'
import {
  addField,
  changeDefault,
  convertField,
  dropField,
  numberRecords,
  releaseField,
  renameFields,
  requireField,
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
  const newlyRequired = kept.filter((field) => field.after.required && !field.before.required)
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
        ...convertOnline(change, field, onlineChange),
        risks: risks.conversion(field),
        losing: losingOf(change.before, field.before, field.after),
      })),
    ),
    ...added.map((field) => ({ ...addField(after, field, onlineChange), risks: risks.added(field) })),
    ...kept.flatMap((field) => changeDefault(after, field)),
    ...newlyRequired.map((field) => ({
      ...requireField(after, field, onlineChange),
      risks: risks.required(field.after),
    })),
    ...kept.flatMap((field) => numberRecords(change, field)),
    ...addedObjects.map((object) => ({
      ...(onlineChange?.object(object) ?? addObject(after, object)),
      risks: risks.object(object),
    })),
    ...inbound.toReversed().map((foreign) => reattachKey(after, foreign)),
    ...alterComments(change, kept),
  ]
}
