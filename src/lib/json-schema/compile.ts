/** Puts the checks of every schema of a document in their places, and refuses references that lead nowhere or round in a circle. */

import type { Pattern } from '../pattern.ts'
import * as combinations from './checks/combinations.ts'
import type { Family, Tools } from './checks/family.ts'
import * as lists from './checks/lists.ts'
import * as numbers from './checks/numbers.ts'
import * as objects from './checks/objects.ts'
import * as strings from './checks/strings.ts'
import * as values from './checks/values.ts'
import { isObject, type Node, type SchemaDocument } from './document.ts'
import { findTarget } from './references.ts'

/** In the order in which their problems are named. What asks for what others have judged comes last. */
const families: readonly Family[] = [
  combinations.references,
  values.type,
  values.constant,
  values.enumeration,
  numbers.bounds,
  numbers.multiple,
  strings.length,
  strings.pattern,
  strings.format,
  lists.count,
  lists.unique,
  lists.elements,
  lists.contains,
  objects.count,
  objects.requirements,
  objects.names,
  objects.members,
  objects.dependents,
  combinations.all,
  combinations.some,
  combinations.one,
  combinations.none,
  combinations.condition,
  lists.unevaluated,
  objects.unevaluated,
]

const nothing: Pattern = { matches: () => false, stepsFor: () => 0 }

/** So many entries of a list are gone through in a step. */
const entriesPerStep = 4

/** Evaluations of schemas, in the worst case, for one part of a value. */
const evaluationsMax = 10_000

export function compile(document: SchemaDocument): void {
  /** The schemas that judge the same value as a schema does. */
  const beside = new Map<Node, Node[]>()

  function toolsOf(node: Node): Tools {
    const noted = (target: Node): Node => {
      beside.set(node, [...(beside.get(node) ?? []), target])
      return target
    }
    const schema = (source: unknown) => (isObject(source) && document.nodes.get(source)) || document.read(source, node.path, node)
    return {
      node,
      schema,
      inPlace: (source) => noted(schema(source)),
      target(keyword, reference) {
        const found = findTarget(document, reference, node)
        if ('problem' in found) {
          document.wrong(`${node.path}/${keyword}`, found.problem)
          return undefined
        }
        return noted(found)
      },
      // What was refused is missing; then no value is judged.
      pattern: (source) => document.patterns.get(source) ?? nothing,
      weigh(length) {
        node.cost += length / entriesPerStep
      },
    }
  }

  // References may lead to schemas that are read only then, and come last.
  for (const node of document.nodes.values()) {
    const tools = toolsOf(node)
    if (document.problems.length === 0 || node.keywords.$ref !== undefined)
      node.checks = families.flatMap((family) => family(node.keywords, tools) ?? [])
  }
  if (document.problems.length === 0) refuseCircles(document, beside)
}

/** A value would never be judged by schemas that lead to each other without going into it, nor in time by those that double again and again. */
function refuseCircles(document: SchemaDocument, beside: ReadonlyMap<Node, readonly Node[]>): void {
  const known = new Map<Node, number>()
  const open = new Set<Node>()
  /** How many evaluations one of a schema leads to. */
  function evaluationsOf(node: Node): number {
    const before = known.get(node)
    if (before !== undefined) return before
    if (open.has(node)) {
      document.wrong(node.path, 'refers back to itself without descending into the value, so validation would never end')
      return 0
    }
    open.add(node)
    const count = (beside.get(node) ?? []).reduce((sum, next) => sum + evaluationsOf(next), 1)
    open.delete(node)
    known.set(node, count)
    return count
  }
  for (const node of document.nodes.values()) {
    if (evaluationsOf(node) <= evaluationsMax || document.problems.length > 0) continue
    document.wrong(node.path, `takes more than ${evaluationsMax} evaluations for one value: its references multiply each other`)
  }
}
