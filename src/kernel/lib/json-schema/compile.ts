/**
 * Compiles the schemas of a document to checks, and rejects references without a target and endless
 * recursion.
 */

import type { Pattern } from '../pattern.ts'
import * as combinations from './checks/combinations.ts'
import type { Family, Tools } from './checks/family.ts'
import * as lists from './checks/lists.ts'
import * as numbers from './checks/numbers.ts'
import * as objects from './checks/objects.ts'
import * as strings from './checks/strings.ts'
import * as values from './checks/values.ts'
import { isObject, type SchemaDocument } from './document.ts'
import type { Node } from './node.ts'
import { findTarget } from './references.ts'

/**
 * The families in the order in which their problems are listed. Keywords that need the marks of others come
 * last.
 */
const families: readonly Family[] = [
  combinations.references,
  values.type,
  values.constant,
  values.enumeration,
  numbers.range,
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
  combinations.allOf,
  combinations.anyOf,
  combinations.oneOf,
  combinations.not,
  combinations.condition,
  lists.unevaluated,
  objects.unevaluated,
]

const matchesNothing: Pattern = { matches: () => false, stepsFor: () => 0 }

/** The number of entries of a list that are scanned in one step. */
const entriesPerStep = 4

/** The largest number of schema evaluations for one part of a value, in the worst case. */
const evaluationsMax = 10_000

/** Compiles all schemas of a document. Adds problems to the document if it cannot be used. */
export function compile(document: SchemaDocument): void {
  /** The schemas that each schema applies to the same value. */
  const sameValueSchemas = new Map<Node, Node[]>()

  function toolsOf(node: Node): Tools {
    const addSameValueSchema = (target: Node): Node => {
      sameValueSchemas.set(node, [...(sameValueSchemas.get(node) ?? []), target])
      return target
    }
    const schema = (source: unknown) =>
      (isObject(source) && document.nodes.get(source)) || document.read(source, node.path, node)
    return {
      node,
      schema,
      inPlace: (source) => addSameValueSchema(schema(source)),
      target(keyword, reference) {
        const found = findTarget(document, reference, node)
        if ('problem' in found) {
          document.addProblem(`${node.path}/${keyword}`, found.problem)
          return undefined
        }
        return addSameValueSchema(found)
      },
      // If the pattern is invalid, the document has a problem, and no value is evaluated.
      pattern: (source) => document.patterns.get(source) ?? matchesNothing,
      weigh(length) {
        node.cost += length / entriesPerStep
      },
    }
  }

  // Resolving references may add schemas to the end of `nodes`.
  for (const node of document.nodes.values()) {
    const tools = toolsOf(node)
    if (document.problems.length === 0 || node.keywords.$ref !== undefined)
      node.checks = families
        .map((family) => family(node.keywords, tools))
        .filter((check) => check !== undefined)
  }
  if (document.problems.length === 0) rejectEndlessRecursion(document, sameValueSchemas)
}

/**
 * Rejects schemas that refer to each other without descending into the value, because evaluation would never
 * end, and schemas whose references multiply to too many evaluations.
 */
function rejectEndlessRecursion(
  document: SchemaDocument,
  sameValueSchemas: ReadonlyMap<Node, readonly Node[]>,
): void {
  const counts = new Map<Node, number>()
  const open = new Set<Node>()
  /** Returns the number of evaluations that one evaluation of a schema causes. */
  function evaluationsOf(node: Node): number {
    const counted = counts.get(node)
    if (counted !== undefined) return counted
    if (open.has(node)) {
      document.addProblem(
        node.path,
        'refers back to itself without descending into the value, so validation would never end',
      )
      return 0
    }
    open.add(node)
    const count = (sameValueSchemas.get(node) ?? []).reduce((sum, next) => sum + evaluationsOf(next), 1)
    open.delete(node)
    counts.set(node, count)
    return count
  }
  for (const node of document.nodes.values()) {
    if (evaluationsOf(node) <= evaluationsMax || document.problems.length > 0) continue
    document.addProblem(
      node.path,
      `takes more than ${evaluationsMax} evaluations for one value: its references multiply each other`,
    )
  }
}
