/** Sorts documents. */
import type { Document } from 'mongodb'
import type { OperandForm, TermForm } from '../../src/data/providers/mongodb/read-forms.ts'
import { inside, isNumber, typeIs } from './json-expressions.ts'

/** A term of an order, with the member of the documents that has its value. */
export interface Sorted extends TermForm {
  name: string
}

const typesOf: Readonly<Record<string, (value: unknown) => unknown>> = {
  string: (value) => typeIs(value, 'string'),
  number: isNumber,
  boolean: (value) => typeIs(value, 'bool'),
}

/** Returns a property as a value that can be sorted: null where it is of another type. */
function sortable({ path, inside: names, type }: OperandForm): unknown {
  const value = inside(path, names)
  return { $cond: [typesOf[type]?.(value) ?? false, value, null] }
}

/**
 * Returns the stages that sort, and the members that they add. Nulls are last, or first where the term
 * says so.
 */
export function sorting(order: readonly TermForm[]): { stages: Document[]; terms: Sorted[] } {
  const added: Document = {}
  const sort: Document = {}
  const terms = order.map((term, place): Sorted => {
    const isProperty = term.operand.inside.length > 0
    const name = isProperty ? `_t${place}` : term.operand.path
    if (isProperty) added[name] = sortable(term.operand)
    return { ...term, name }
  })
  const nulls: Document = {}
  terms.forEach(({ name, descending, nullable, nullsFirst }, place) => {
    // A second term of the same value has no effect.
    if (Object.hasOwn(sort, name)) return
    // MongoDB sorts null before every value.
    if (nullable && descending === nullsFirst) {
      nulls[`_n${place}`] = { $cond: [{ $eq: [{ $ifNull: [`$${name}`, null] }, null] }, 1, 0] }
      sort[`_n${place}`] = nullsFirst ? -1 : 1
    }
    sort[name] = descending ? -1 : 1
  })
  const addedStages = [added, nulls].filter((one) => Object.keys(one).length > 0)
  return {
    stages: [
      ...addedStages.map((one) => ({ $addFields: one })),
      ...(terms.length > 0 ? [{ $sort: sort }] : []),
    ],
    terms,
  }
}
