/**
 * How long versions are kept: the step of a schema change that shortens this time. A scheduled task removes
 * versions.
 */
import { daysKept } from '../../model/history.ts'
import type { Table } from '../../model/table.ts'
import { alteration } from '../ddl/alteration.ts'
import type { DdlStep } from '../provider.ts'

/** Tells whether a table keeps versions for a shorter time than another one. */
export const isKeptShorter = (before: Table, after: Table): boolean =>
  (daysKept(after) ?? Number.POSITIVE_INFINITY) < (daysKept(before) ?? Number.POSITIVE_INFINITY)

/**
 * Returns the step that shortens how long versions are kept, if that changes. It has no statement: the next
 * run of the scheduled task removes older versions (history/sweep.ts).
 */
export const keepShorter = (before: Table, after: Table): DdlStep[] =>
  isKeptShorter(before, after)
    ? [
        {
          ...alteration(after, `Keep the history of ${after.name} for ${daysKept(after)} days`, [], []),
          destructive: true,
        },
      ]
    : []
