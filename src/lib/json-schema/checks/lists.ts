/** Keywords for arrays. */
import { fits, inside, type Marks, refuse, type Spot } from '../run.ts'
import { counted, trait } from '../words.ts'
import { type Family, listIn, numberIn } from './family.ts'

export const count: Family = ({ minItems, maxItems }) => {
  const least = numberIn(minItems) ?? 0
  const most = numberIn(maxItems) ?? Number.POSITIVE_INFINITY
  if (least === 0 && most === Number.POSITIVE_INFINITY) return undefined
  const tooFew = `Ensure this field has at least ${counted(least, 'element')}.`
  const tooMany = `Ensure this field has no more than ${counted(most, 'element')}.`
  return (value, spot) => {
    if (!Array.isArray(value)) return true
    if (value.length < least) return refuse(spot, tooFew)
    return value.length <= most || refuse(spot, tooMany)
  }
}

export const unique: Family = ({ uniqueItems }) => {
  if (uniqueItems !== true) return undefined
  return (value, spot) => {
    if (!Array.isArray(value)) return true
    // A step for each element: they are looked up, not compared with each other.
    spot.run.spend(value.length)
    const first = new Map<unknown, number>()
    for (const [index, item] of value.entries()) {
      const key = spot.run.keyOf(item)
      const other = first.get(key)
      if (other !== undefined) return refuse(spot, `The elements must differ from each other: ${other} and ${index} are equal.`)
      first.set(key, index)
    }
    return true
  }
}

/** `prefixItems` and `items`; before 2020-12 both are called `items`, and what comes after a list is `additionalItems`. */
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
      if (fits(node, item, inside(spot, index))) continue
      valid = false
      if (!spot.problems) break
    }
    return valid
  }
}

export const contains: Family = ({ contains: wanted, minContains, maxContains }, { schema, node }) => {
  if (wanted === undefined) return undefined
  const wantedNode = schema(wanted)
  const least = numberIn(minContains) ?? 1
  const most = numberIn(maxContains) ?? Number.POSITIVE_INFINITY
  const what = trait(wanted, `${node.path}/contains`)
  const elements = (amount: number) => counted(amount, 'element')
  // Since 2020-12 the elements that are wanted count as judged.
  const marks = ({ marks }: Spot): Marks | undefined => (node.draft.age >= 2020 ? marks : undefined)
  return (value, spot) => {
    if (!Array.isArray(value)) return true
    const marked = marks(spot)
    let found = 0
    for (const [index, item] of value.entries()) {
      if (!fits(wantedNode, item, { ...spot, problems: undefined, marks: undefined })) continue
      found++
      marked?.items.add(index)
    }
    if (found < least) return refuse(spot, `At least ${elements(least)} must ${what}.`)
    return found <= most || refuse(spot, `No more than ${elements(most)} may ${what}.`)
  }
}

export const unevaluated: Family = ({ unevaluatedItems }, { schema, node }) => {
  if (unevaluatedItems === undefined) return undefined
  const rest = schema(unevaluatedItems)
  node.gathers = true
  return (value, spot) => {
    if (!Array.isArray(value) || !spot.marks) return true
    const { items } = spot.marks
    let valid = true
    for (const [index, item] of value.entries()) {
      if (items.has(index)) continue
      items.add(index)
      if (fits(rest, item, inside(spot, index))) continue
      valid = false
      if (!spot.problems) break
    }
    return valid
  }
}
