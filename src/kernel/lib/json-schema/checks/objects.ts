/** The checks of the keywords for objects. */

import { isObject } from '../document.ts'
import { addProblem, isValid, spotOfMember } from '../evaluation.ts'
import { countOf, quoteJson } from '../message-parts.ts'
import type { Node, Problem } from '../node.ts'
import { entriesIn, type Family, namesIn, numberIn } from './family.ts'
import { matches } from './strings.ts'

/** `minProperties` and `maxProperties` */
export const count: Family = ({ minProperties, maxProperties }) => {
  const least = numberIn(minProperties) ?? 0
  const most = numberIn(maxProperties) ?? Number.POSITIVE_INFINITY
  if (least === 0 && most === Number.POSITIVE_INFINITY) return undefined
  const tooFew = `Ensure this field has at least ${countOf(least, 'member')}.`
  const tooMany = `Ensure this field has no more than ${countOf(most, 'member')}.`
  return (value, spot) => {
    if (!isObject(value)) return true
    const { length } = spot.run.namesIn(value)
    if (length < least) return addProblem(spot, tooFew)
    return length <= most || addProblem(spot, tooMany)
  }
}

const required = 'This field is required.'

/** `required`, `dependentRequired`, and the lists of names of `dependencies` */
export const requirements: Family = ({ required: wanted, dependentRequired, dependencies }, { weigh }) => {
  const always = namesIn(wanted)
  const byName = [...entriesIn(dependentRequired), ...entriesIn(dependencies)]
    .filter(([, names]) => Array.isArray(names))
    .map(([name, names]): [string, readonly string[]] => [name, namesIn(names)])
  if (always.length === 0 && byName.length === 0) return undefined
  weigh(byName.reduce((sum, [, names]) => sum + names.length + 1, always.length))
  return (value, spot) => {
    if (!isObject(value)) return true
    let valid = true
    for (const name of always)
      if (!Object.hasOwn(value, name)) valid = addProblem(spotOfMember(spot, name), required)
    for (const [name, names] of byName) {
      if (!Object.hasOwn(value, name)) continue
      const missing = names.filter((other) => !Object.hasOwn(value, other))
      for (const other of missing)
        valid = addProblem(
          spotOfMember(spot, other),
          `This field is required when ${quoteJson(name)} is given.`,
        )
    }
    return valid
  }
}

/** `properties`, `patternProperties`, and `additionalProperties` for members that match neither. */
export const members: Family = (
  { properties, patternProperties, additionalProperties },
  { schema, pattern },
) => {
  const named = new Map(entriesIn(properties).map(([name, source]) => [name, schema(source)]))
  const matching = entriesIn(patternProperties).map(([source, part]) => ({
    pattern: pattern(source),
    node: schema(part),
  }))
  const rest = additionalProperties === undefined ? undefined : schema(additionalProperties)
  if (named.size === 0 && matching.length === 0 && !rest) return undefined
  return (value, spot) => {
    if (!isObject(value)) return true
    let valid = true
    for (const name of spot.run.namesIn(value)) {
      const own = named.get(name)
      const nodes: Node[] = own ? [own] : []
      for (const { pattern, node } of matching) if (matches(pattern, name, spot.run)) nodes.push(node)
      if (nodes.length === 0 && rest) nodes.push(rest)
      if (nodes.length > 0) spot.marks?.names.add(name)
      for (const node of nodes) {
        if (isValid(node, value[name], spotOfMember(spot, name))) continue
        valid = false
        if (!spot.problems) return false
      }
    }
    return valid
  }
}

/** `propertyNames` */
export const names: Family = ({ propertyNames }, { schema }) => {
  if (propertyNames === undefined) return undefined
  const node = schema(propertyNames)
  return (value, spot) => {
    if (!isObject(value)) return true
    let valid = true
    for (const name of spot.run.namesIn(value)) {
      const problems: Problem[] = []
      if (isValid(node, name, { ...spot, problems: spot.problems && problems, marks: undefined })) continue
      const why = problems.map(({ message }) => message).join(' ')
      valid = addProblem(spotOfMember(spot, name), `This field name is not allowed. ${why}`)
      if (!spot.problems) break
    }
    return valid
  }
}

/** `dependentSchemas`, and the schemas of `dependencies` */
export const dependents: Family = ({ dependentSchemas, dependencies }, { inPlace }) => {
  const nodes = [
    ...entriesIn(dependentSchemas),
    ...entriesIn(dependencies).filter(([, part]) => !Array.isArray(part)),
  ].map(([name, source]): [string, Node] => [name, inPlace(source)])
  if (nodes.length === 0) return undefined
  return (value, spot) => {
    if (!isObject(value)) return true
    let valid = true
    for (const [name, node] of nodes)
      if (Object.hasOwn(value, name) && !isValid(node, value, spot)) valid = false
    return valid
  }
}

/** `unevaluatedProperties` */
export const unevaluated: Family = ({ unevaluatedProperties }, { schema, node }) => {
  if (unevaluatedProperties === undefined) return undefined
  const rest = schema(unevaluatedProperties)
  node.needsMarks = true
  return (value, spot) => {
    if (!isObject(value) || !spot.marks) return true
    const marked = spot.marks.names
    let valid = true
    for (const name of spot.run.namesIn(value)) {
      if (marked.has(name)) continue
      marked.add(name)
      if (isValid(rest, value[name], spotOfMember(spot, name))) continue
      valid = false
      if (!spot.problems) break
    }
    return valid
  }
}
