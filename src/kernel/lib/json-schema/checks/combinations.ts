/**
 * Keywords that apply other schemas to the same value: `allOf`, `anyOf`, `oneOf`, `not`, `if` and references.
 */

import { addProblem, isValid, mergeMarks } from '../evaluation.ts'
import { describeSchema, truncate } from '../message-parts.ts'
import type { Marks, Node, Path, Problem, Scope, Spot } from '../node.ts'
import { type Family, listIn } from './family.ts'

/** `allOf` */
export const allOf: Family = ({ allOf: schemas }, { inPlace }) => {
  const nodes = listIn(schemas).map(inPlace)
  return nodes.length === 0 ? undefined : (value, spot) => isValidForAll(nodes, value, spot)
}

function isValidForAll(nodes: readonly Node[], value: unknown, spot: Spot): boolean {
  let valid = true
  for (const node of nodes) {
    if (isValid(node, value, spot)) continue
    valid = false
    if (!spot.problems) break
  }
  return valid
}

/** Tells whether a value is valid against an optional schema. The marks count only if it is. */
function isValidOption(node: Node, value: unknown, spot: Spot, problems: Problem[] | undefined): boolean {
  const marks: Marks | undefined = spot.marks && { names: new Set(), items: new Set() }
  const valid = isValid(node, value, { ...spot, problems, marks })
  if (valid && marks && spot.marks) mergeMarks(marks, spot.marks, spot.run)
  return valid
}

/** `anyOf` */
export const anyOf: Family = ({ anyOf: schemas }, { inPlace }) => {
  const nodes = listIn(schemas).map(inPlace)
  if (nodes.length === 0) return undefined
  return (value, spot) => {
    const failed: Problem[][] = []
    let valid = false
    for (const node of nodes) {
      const problems: Problem[] = []
      if (isValidOption(node, value, spot, spot.problems && problems)) valid = true
      failed.push(problems)
      if (valid && !spot.marks) break
    }
    return valid || addAlternatives('at least', failed, spot)
  }
}

/** `oneOf` */
export const oneOf: Family = ({ oneOf: schemas }, { inPlace }) => {
  const nodes = listIn(schemas).map(inPlace)
  if (nodes.length === 0) return undefined
  return (value, spot) => {
    const failed: Problem[][] = []
    const matching: number[] = []
    for (const [index, node] of nodes.entries()) {
      const problems: Problem[] = []
      if (isValidOption(node, value, spot, spot.problems && problems)) matching.push(index + 1)
      failed.push(problems)
      if (matching.length > 1) break
    }
    if (matching.length === 0) return addAlternatives('exactly', failed, spot)
    const message =
      `Must match exactly one of the ${nodes.length} alternatives, ` +
      `but matches number ${matching.join(' and number ')}.`
    return matching.length === 1 || addProblem(spot, message)
  }
}

/** `not` */
export const not: Family = ({ not: schema }, { inPlace, node }) => {
  if (schema === undefined) return undefined
  const excluded = inPlace(schema)
  const message = `Must not ${describeSchema(schema, `${node.path}/not`)}.`
  return (value, spot) =>
    !isValid(excluded, value, { ...spot, problems: undefined, marks: undefined }) || addProblem(spot, message)
}

/** `if`, `then` and `else` */
export const condition: Family = ({ if: test, ...branches }, { inPlace }) => {
  if (test === undefined) return undefined
  const tested = inPlace(test)
  const [then, otherwise] = [branches.then, branches.else].map((branch) =>
    branch === undefined ? undefined : inPlace(branch),
  )
  return (value, spot) => {
    const branch = isValidOption(tested, value, spot, undefined) ? then : otherwise
    return !branch || isValid(branch, value, spot)
  }
}

/** `$ref`, and `$recursiveRef` and `$dynamicRef`, whose targets depend on the evaluation. */
export const references: Family = ({ $ref, $recursiveRef, $dynamicRef }, tools) => {
  const checks = [
    typeof $ref === 'string' && plain($ref),
    $recursiveRef === '#' && recursive(),
    typeof $dynamicRef === 'string' && dynamic($dynamicRef),
  ]
  const found = checks.filter((check) => typeof check === 'function')
  if (found.length === 0) return undefined
  return (value, spot) => {
    const targets = found.map((find) => find(spot.run.scope)).filter((node) => node !== undefined)
    return isValidForAll(targets, value, spot)
  }

  function plain(reference: string) {
    const node = tools.target('$ref', reference)
    return () => node
  }

  /** Finds the outermost resource with `$recursiveAnchor`. */
  function recursive() {
    const node = tools.target('$recursiveRef', '#')
    if (node?.keywords.$recursiveAnchor !== true) return () => node
    return (scope: Scope | undefined) =>
      outermost(scope, ({ root }) => (root?.keywords.$recursiveAnchor === true ? root : undefined)) ?? node
  }

  /**
   * Finds the outermost resource with the anchor, if the anchor is dynamic at the target of the reference.
   */
  function dynamic(reference: string) {
    const node = tools.target('$dynamicRef', reference)
    const anchor = reference.slice(reference.indexOf('#') + 1)
    if (!node || node.keywords.$dynamicAnchor !== anchor) return () => node
    return (scope: Scope | undefined) =>
      outermost(scope, ({ dynamicAnchors }) => dynamicAnchors.get(anchor)) ?? node
  }
}

function outermost(
  scope: Scope | undefined,
  find: (resource: Node['resource']) => Node | undefined,
): Node | undefined {
  let found: Node | undefined
  for (let inner = scope; inner; inner = inner.outer) found = find(inner.resource) ?? found
  return found
}

const alternativesShown = 5
const problemsShown = 3
const messageMax = 200

/** Adds one message with the problems of each alternative. Called if no alternative matches. */
function addAlternatives(quantity: string, failed: readonly Problem[][], spot: Spot): false {
  if (!spot.problems) return false
  const [first = []] = failed
  if (failed.length === 1) {
    spot.problems.push(...first)
    return false
  }
  const ways = failed.slice(0, alternativesShown).map((problems, index) => {
    const shown = problems
      .slice(0, problemsShown)
      .map(({ path, message }) => `${relativePosition(path, spot.path)}${truncate(message, messageMax)}`)
    if (problems.length > shown.length) shown.push(`(And ${problems.length - shown.length} more.)`)
    return `(${index + 1}) ${shown.join(' ')}`
  })
  const more = failed.length > ways.length ? ` (And ${failed.length - ways.length} more.)` : ''
  return addProblem(
    spot,
    `Must match ${quantity} one of ${failed.length} alternatives: ${ways.join(' ')}${more}`,
  )
}

/** Returns the position of a problem, relative to the value with the alternatives. */
function relativePosition(path: Path | undefined, from: Path | undefined): string {
  const names: (string | number)[] = []
  for (let step = path; step && step !== from; step = step.outer) names.unshift(step.name)
  return names.length > 0 ? `${names.join('.')}: ` : ''
}
