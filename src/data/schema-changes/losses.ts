/** Finds the values that a rollback does not restore: it restores the schema, not the data. D9. */

import { daysKept } from '../model/history.ts'
import type { Table } from '../model/table.ts'
import { conversionOf, isKeptAlike, isRounded } from '../providers/conversions.ts'
import { isKeptShorter } from '../providers/history/retention.ts'

/**
 * Returns a warning for each field and edge type that a rollback from `present` to `past` restores without
 * its old values. `kept` maps the fields of `past` that still exist to their names in `present`.
 */
export function lossesOf(past: Table, present: Table, kept: ReadonlyMap<string, string>): string[] {
  const warnings: string[] = []
  for (const field of past.fields.values()) {
    const { name } = field
    if (field.formula !== undefined) continue
    const now = present.fields.get(kept.get(name) ?? '')
    const conversion = now && conversionOf(field, now)
    if (!now || now.formula !== undefined || !(conversion || isKeptAlike(field, now)))
      warnings.push(`The old values of "${name}" are lost: the field is restored without them.`)
    else if (conversion && isRounded(field, now))
      warnings.push(
        `The values of "${name}" were converted to ${now.schema.type}, and may differ from the old ones.`,
      )
  }
  const presentTypes = new Set(present.graph?.types.map(({ name }) => name))
  for (const { name } of past.graph?.types ?? []) {
    if (!presentTypes.has(name))
      warnings.push(`The edges of the type "${name}" are lost: the type is restored without them.`)
  }
  if (past.history && !present.history)
    warnings.push(`The versions of the records of "${past.name}" are lost: the history begins again.`)
  else if (past.history && isKeptShorter(past, present))
    warnings.push(`Versions of "${past.name}" that are older than ${daysKept(present)} days may be lost.`)
  return warnings
}
