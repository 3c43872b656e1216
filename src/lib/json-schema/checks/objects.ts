/** Keywords for objects. */
import { isObject, type Node } from '../document.ts'
import { fits, inside, type Problem, refuse } from '../run.ts'
import { counted, quoted } from '../words.ts'
import { entriesIn, type Family, namesIn, numberIn } from './family.ts'
import { matches } from './strings.ts'

export const count: Family = ({ minProperties, maxProperties }) => {
  const least = numberIn(minProperties) ?? 0
  const most = numberIn(maxProperties) ?? Number.POSITIVE_INFINITY
  if (least === 0 && most === Number.POSITIVE_INFINITY) return undefined
  const tooFew = `Ensure this field has at least ${counted(least, 'member')}.`
  const tooMany = `Ensure this field has no more than ${counted(most, 'member')}.`
  return (value, spot) => {
    if (!isObject(value)) return true
    const { length } = spot.run.namesIn(value)
    if (length < least) return refuse(spot, tooFew)
    return length <= most || refuse(spot, tooMany)
  }
}

const required = 'This field is required.'

export const requirements: Family = ({ required: wanted, dependentRequired, dependencies }, { weigh }) => {
  const always = namesIn(wanted)
  const bySome = [...entriesIn(dependentRequired), ...entriesIn(dependencies)].flatMap(([name, names]): [string, readonly string[]][] =>
    Array.isArray(names) ? [[name, namesIn(names)]] : [],
  )
  if (always.length === 0 && bySome.length === 0) return undefined
  weigh(bySome.reduce((sum, [, names]) => sum + names.length + 1, always.length))
  return (value, spot) => {
    if (!isObject(value)) return true
    let valid = true
    for (const name of always) if (!Object.hasOwn(value, name)) valid = refuse(inside(spot, name), required)
    for (const [name, names] of bySome) {
      if (!Object.hasOwn(value, name)) continue
      const missing = names.filter((other) => !Object.hasOwn(value, other))
      for (const other of missing) valid = refuse(inside(spot, other), `This field is required when ${quoted(name)} is given.`)
    }
    return valid
  }
}

/** `properties`, `patternProperties`, and `additionalProperties` for what is in neither. */
export const members: Family = ({ properties, patternProperties, additionalProperties }, { schema, pattern }) => {
  const named = new Map(entriesIn(properties).map(([name, source]) => [name, schema(source)]))
  const matching = entriesIn(patternProperties).map(([source, part]) => ({ pattern: pattern(source), node: schema(part) }))
  const rest = additionalProperties === undefined ? undefined : schema(additionalProperties)
  if (named.size === 0 && matching.length === 0 && !rest) return undefined
  return (value, spot) => {
    if (!isObject(value)) return true
    let valid = true
    for (const name of spot.run.namesIn(value)) {
      const own = named.get(name)
      const nodes: Node[] = own ? [own] : []
      for (const each of matching) if (matches(each.pattern, name, spot.run)) nodes.push(each.node)
      if (nodes.length === 0 && rest) nodes.push(rest)
      if (nodes.length > 0) spot.marks?.names.add(name)
      for (const node of nodes) {
        if (fits(node, value[name], inside(spot, name))) continue
        valid = false
        if (!spot.problems) return false
      }
    }
    return valid
  }
}

export const names: Family = ({ propertyNames }, { schema }) => {
  if (propertyNames === undefined) return undefined
  const node = schema(propertyNames)
  return (value, spot) => {
    if (!isObject(value)) return true
    let valid = true
    for (const name of spot.run.namesIn(value)) {
      const problems: Problem[] = []
      if (fits(node, name, { ...spot, problems: spot.problems && problems, marks: undefined })) continue
      const why = problems.map(({ message }) => message).join(' ')
      valid = refuse(inside(spot, name), `This field name is not allowed. ${why}`)
      if (!spot.problems) break
    }
    return valid
  }
}

/** `dependentSchemas`, and what `dependencies` has of them. */
export const dependents: Family = ({ dependentSchemas, dependencies }, { inPlace }) => {
  const nodes = [...entriesIn(dependentSchemas), ...entriesIn(dependencies).filter(([, part]) => !Array.isArray(part))].map(
    ([name, source]): [string, Node] => [name, inPlace(source)],
  )
  if (nodes.length === 0) return undefined
  return (value, spot) => {
    if (!isObject(value)) return true
    let valid = true
    for (const [name, node] of nodes) if (Object.hasOwn(value, name) && !fits(node, value, spot)) valid = false
    return valid
  }
}

export const unevaluated: Family = ({ unevaluatedProperties }, { schema, node }) => {
  if (unevaluatedProperties === undefined) return undefined
  const rest = schema(unevaluatedProperties)
  node.gathers = true
  return (value, spot) => {
    if (!isObject(value) || !spot.marks) return true
    const marked = spot.marks.names
    let valid = true
    for (const name of spot.run.namesIn(value)) {
      if (marked.has(name)) continue
      marked.add(name)
      if (fits(rest, value[name], inside(spot, name))) continue
      valid = false
      if (!spot.problems) break
    }
    return valid
  }
}
