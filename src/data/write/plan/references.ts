/** Resolves `{"$": "name.field"}`: values that operations take from the records of earlier ones. */
import { hasCheck } from '../../model/constraints.ts'
import type { Field } from '../../model/field.ts'
import type { Table } from '../../model/table.ts'
import type { TakenValue } from '../../providers/writes/input.ts'

/** The record of an operation that has a name. */
interface NamedRecord {
  /** The step that writes it, and its position in that step, from 0. */
  step: number
  position: number
  table: Table
}

/** The records of earlier operations by name. */
export type NamedRecords = ReadonlyMap<string, NamedRecord>

/** Returns the name of the operation in a reference; undefined if the text has none. */
export function nameIn(reference: unknown): string | undefined {
  if (typeof reference !== 'object' || reference === null || !Object.hasOwn(reference, '$')) return undefined
  const text = (reference as { $: unknown }).$
  return typeof text === 'string' ? text.slice(0, text.indexOf('.')) : undefined
}

/** Tells whether a value is in the body, and neither null nor in a record of an earlier operation. */
export const isSent = (value: unknown): boolean => (value ?? null) !== null && nameIn(value) === undefined

/** The values that a step uses from earlier ones. */
export interface Taking {
  /** The values so far. */
  taken: TakenValue[]
  /** Takes a value for a field. Returns why that is not possible; undefined if it is. */
  take(place: number, field: Field, reference: object): string | undefined
}

/**
 * Returns the values that the step with this number uses. `allowed` are the references that records may have;
 * omitted: any.
 */
export function takingFor(step: number, names: NamedRecords, allowed?: ReadonlySet<object>): Taking {
  const taken: TakenValue[] = []
  return {
    taken,
    take(place, field, reference) {
      if (allowed && !allowed.has(reference)) return 'A reference is only possible in a batch.'
      const [[, text] = [], ...others] = Object.entries(reference)
      if (others.length > 0 || typeof text !== 'string' || !text.includes('.'))
        return 'A reference has one member: {"$": "name.field"}.'
      const name = text.slice(0, text.indexOf('.'))
      const source = names.get(name)
      if (!source || source.step >= step) {
        const earlier = [...names].flatMap(([one, record]) => (record.step < step ? [one] : []))
        return `No earlier operation has the name "${name}". Names: ${earlier.join(', ') || 'none'}.`
      }
      const from = source.table.fields.get(text.slice(name.length + 1))
      if (!from) {
        const fields = [...source.table.fields.keys()].join(', ')
        return `"${source.table.name}" has no field "${text.slice(name.length + 1)}". Fields: ${fields}.`
      }
      const problem = whyNotTaken(from, field)
      if (!problem)
        taken.push({
          place,
          member: field.name,
          step: source.step,
          position: source.position,
          field: from.name,
        })
      return problem
    },
  }
}

function whyNotTaken(from: Field, to: Field): string | undefined {
  if (from.type !== to.type)
    return `"${from.name}" is of the type ${from.schema.type}, but ${to.schema.type} is required.`
  const unchecked = to.rules.find((rule) => !hasCheck(rule))
  return unchecked && `A field with the constraint "${unchecked.name}" needs a value, not a reference.`
}
