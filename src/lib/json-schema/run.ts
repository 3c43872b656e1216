/** One judgement of a value: where it is, what it found, and what it has cost. */
import type { Node } from './document.ts'

/** From the inside out. The value itself has none. */
export interface Path {
  readonly outer: Path | undefined
  readonly name: string | number
}

export interface Problem {
  readonly path: Path | undefined
  readonly message: string
}

/** Which members and elements of a value its schema has judged, for those keywords that ask. */
export interface Marks {
  readonly names: Set<string>
  readonly items: Set<number>
}

/** The resources whose schemas are being evaluated, from the inside out: where `$dynamicRef` looks. */
export interface Scope {
  readonly resource: Node['resource']
  readonly outer: Scope | undefined
}

export interface Run {
  /** Counts work; throws `TooMuchWork`. */
  spend(steps: number): void
  /** The names of an object's members. */
  namesIn(value: object): readonly string[]
  /** The same for values that are equal, as JSON has it, and for no others. */
  keyOf(value: unknown): unknown
  scope: Scope | undefined
  /** How many evaluations are under way in each other. */
  depth: number
}

/** Where a schema meets a value. */
export interface Spot {
  readonly run: Run
  readonly path: Path | undefined
  /** Where problems are noted. Undefined: only whether there are any is of interest. */
  readonly problems: Problem[] | undefined
  /** Where it is noted what was judged, if anybody asks. */
  readonly marks: Marks | undefined
}

/** Whether a value passes. */
export type Check = (value: unknown, spot: Spot) => boolean

/** One judgement notes so many problems at most. */
const problemsMax = 1000

export function refuse({ problems, path }: Spot, message: string): false {
  if (problems && problems.length < problemsMax) problems.push({ path, message })
  return false
}

export const notAllowed: Check = (_value, spot) =>
  refuse(spot, typeof spot.path?.name === 'number' ? 'This element is not allowed.' : 'This field is not allowed.')

/** The spot of a member or an element. */
export const inside = ({ run, path, problems }: Spot, name: string | number): Spot => ({
  run,
  path: problems && { outer: path, name },
  problems,
  marks: undefined,
})

/** Evaluations in each other: values are far from so deep, and the stack has room for more. */
const depthMax = 1000

/** A judgement that is given up. */
export class TooMuchWork extends Error {}

/** So many marks are copied in a step. */
const marksPerStep = 4

/** Whether a value fits a schema. */
export function fits(node: Node, value: unknown, spot: Spot): boolean {
  const { run } = spot
  run.spend(node.cost)
  if (++run.depth > depthMax) throw new TooMuchWork()
  const { scope } = run
  if (scope?.resource !== node.resource) run.scope = { resource: node.resource, outer: scope }
  const marks = node.gathers ? { names: new Set<string>(), items: new Set<number>() } : undefined
  const here = marks ? { ...spot, marks } : spot
  let valid = true
  for (const check of node.checks) {
    if (check(value, here)) continue
    valid = false
    if (!spot.problems) break
  }
  run.scope = scope
  run.depth--
  if (marks && spot.marks) merge(marks, spot.marks, run)
  return valid
}

export function merge({ names, items }: Marks, into: Marks, { spend }: Run): void {
  spend((names.size + items.size) / marksPerStep)
  for (const name of names) into.names.add(name)
  for (const item of items) into.items.add(item)
}
