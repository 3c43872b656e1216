/** The checks of the keywords for arrays. */

import { addProblem, isValid, spotOfMember } from '../evaluation.ts'
import { countOf, describeSchema } from '../message-parts.ts'
import type { Marks, Spot } from '../node.ts'
import { type Family, listIn, numberIn } from './family.ts'

/** `minItems` and `maxItems` */
export const count: Family = ({ minItems, maxItems }) => {
  const least = numberIn(minItems) ?? 0
  const most = numberIn(maxItems) ?? Number.POSITIVE_INFINITY
  if (least === 0 && most === Number.POSITIVE_INFINITY) return undefined
  const tooFew = `Ensure this field has at least ${countOf(least, 'element')}.`
  const tooMany = `Ensure this field has no more than ${countOf(most, 'element')}.`
  return (value, spot) => {
    if (!Array.isArray(value)) return true
    if (value.length < least) return addProblem(spot, tooFew)
    return value.length <= most || addProblem(spot, tooMany)
  }
}

/** `uniqueItems` */
export const unique: Family = ({ uniqueItems }) => {
  if (uniqueItems !== true) return undefined
  return (value, spot) => {
    if (!Array.isArray(value)) return true
    // Elements are looked up, not compared with each other. `keyOf` counts what objects and arrays take.
    spot.run.spend(value.length)
    const first = new Map<unknown, number>()
    for (const [index, item] of value.entries()) {
      const key = spot.run.keyOf(item)
      const other = first.get(key)
      if (other !== undefined)
        return addProblem(spot, `The elements must be unique: elements ${other} and ${index} are equal.`)
      first.set(key, index)
    }
    return true
  }
}

/**
 * `prefixItems` and `items`. Before 2020-12, `items` may be a list, and `additionalItems` is for the other
 * elements.
 */
export const elements: Family = ({ prefixItems, items, additionalItems }, { schema }) => {
  const isTuple = Array.isArray(items)
  const first = (isTuple ? items : listIn(prefixItems)).map(schema)
  const others = isTuple ? additionalItems : items
  const rest = others === undefined ? undefined : schema(others)
  if (first.length === 0 && !rest) return undefined
  return (value, spot) => {
    if (!Array.isArray(value)) return true
    let valid = true
    for (const [index, item] of value.entries()) {
      const node = first[index] ?? rest
      if (!node) break
      spot.marks?.items.add(index)
      if (isValid(node, item, spotOfMember(spot, index))) continue
      valid = false
      if (!spot.problems) break
    }
    return valid
  }
}

/** `contains`, `minContains` and `maxContains` */
export const contains: Family = ({ contains: wanted, minContains, maxContains }, { schema, node }) => {
  if (wanted === undefined) return undefined
  const wantedNode = schema(wanted)
  const least = numberIn(minContains) ?? 1
  const most = numberIn(maxContains) ?? Number.POSITIVE_INFINITY
  const what = describeSchema(wanted, `${node.path}/contains`)
  const elements = (amount: number) => countOf(amount, 'element')
  // Since 2020-12, elements that match `contains` count as evaluated.
  const marks = ({ marks }: Spot): Marks | undefined => (node.draft.age >= 2020 ? marks : undefined)
  return (value, spot) => {
    if (!Array.isArray(value)) return true
    const marked = marks(spot)
    let found = 0
    for (const [index, item] of value.entries()) {
      if (!isValid(wantedNode, item, { ...spot, problems: undefined, marks: undefined })) continue
      found++
      marked?.items.add(index)
    }
    if (found < least) return addProblem(spot, `At least ${elements(least)} must ${what}.`)
    return found <= most || addProblem(spot, `No more than ${elements(most)} may ${what}.`)
  }
}

/** `unevaluatedItems` */
export const unevaluated: Family = ({ unevaluatedItems }, { schema, node }) => {
  if (unevaluatedItems === undefined) return undefined
  const rest = schema(unevaluatedItems)
  node.needsMarks = true
  return (value, spot) => {
    if (!Array.isArray(value) || !spot.marks) return true
    const { items } = spot.marks
    let valid = true
    for (const [index, item] of value.entries()) {
      if (items.has(index)) continue
      items.add(index)
      if (isValid(rest, item, spotOfMember(spot, index))) continue
      valid = false
      if (!spot.problems) break
    }
    return valid
  }
}
