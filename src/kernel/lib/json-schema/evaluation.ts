/**
 * Evaluates a compiled schema on a value: the position in the value, the problems found, and the cost so far.
 */
import type { Check, Evaluation, Marks, Node, Spot } from './node.ts'

/** The largest number of problems that one evaluation collects. */
const problemsMax = 1000

/** Adds a problem to a spot. Returns false, as the result of a check. */
export function addProblem({ problems, path }: Spot, message: string): false {
  if (problems && problems.length < problemsMax) problems.push({ path, message })
  return false
}

/** The check of the schema `false`. */
export const notAllowed: Check = (_value, spot) =>
  addProblem(
    spot,
    typeof spot.path?.name === 'number' ? 'This element is not allowed.' : 'This field is not allowed.',
  )

/** Returns the spot of a member or an element. */
export const spotOfMember = ({ run, path, problems }: Spot, name: string | number): Spot => ({
  run,
  path: problems && { outer: path, name },
  problems,
  marks: undefined,
})

/**
 * The largest number of nested evaluations. Values are much less deep, and the stack has space for more
 * evaluations.
 */
const depthMax = 1000

/** Thrown when an evaluation takes too much work. */
export class TooMuchWork extends Error {}

/** The number of marks that are copied in one step. */
const marksPerStep = 4

/** Tells whether a value is valid against a schema. */
export function isValid(node: Node, value: unknown, spot: Spot): boolean {
  const { run } = spot
  run.spend(node.cost)
  if (++run.depth > depthMax) throw new TooMuchWork()
  const { scope } = run
  if (scope?.resource !== node.resource) run.scope = { resource: node.resource, outer: scope }
  const marks = node.needsMarks ? { names: new Set<string>(), items: new Set<number>() } : undefined
  const here = marks ? { ...spot, marks } : spot
  let valid = true
  for (const check of node.checks) {
    if (check(value, here)) continue
    valid = false
    if (!spot.problems) break
  }
  run.scope = scope
  run.depth--
  if (marks && spot.marks) mergeMarks(marks, spot.marks, run)
  return valid
}

/** Adds the marks of one evaluation to those of another. */
export function mergeMarks({ names, items }: Marks, into: Marks, { spend }: Evaluation): void {
  spend((names.size + items.size) / marksPerStep)
  for (const name of names) into.names.add(name)
  for (const item of items) into.items.add(item)
}
