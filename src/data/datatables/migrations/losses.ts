/** What of a datatable's records a rollback does not bring back: its schema is what it was, the values are not. D9. */
import { conversionOf, isKeptAlike } from '../../providers/conversions.ts'
import type { Table } from '../table.ts'

/** `kept`: the fields of `past` that are still there, with the names that they have in `present`. */
export function lossesOf(past: Table, present: Table, kept: ReadonlyMap<string, string>): string[] {
  const fields = [...past.fields.values()].flatMap((field): string[] => {
    const { name } = field
    const now = present.fields.get(kept.get(name) ?? '')
    const conversion = now && conversionOf(field, now)
    if (!now || !(conversion || isKeptAlike(field, now)))
      return [`The values of "${name}" are gone: the field comes back without those that it had when it was dropped.`]
    return conversion?.lossy ? [`The values of "${name}" stay what became of them as ${now.schema.type}.`] : []
  })
  const types = past.graph?.types.map(({ name }) => name).filter((name) => !present.graph?.types.some((type) => type.name === name)) ?? []
  return [...fields, ...types.map((name) => `The edges of the type "${name}" are gone: the type comes back without them.`)]
}
