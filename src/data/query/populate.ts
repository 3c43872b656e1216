/** Which related records stand in a record: relationships by name, nested by dots, `*` for all of a table. R5. */
import { shown } from '../../lib/shown.ts'
import type { Planning } from './plan.ts'
import { type Relationship, relationshipsOf } from './relationships.ts'

export interface Populate {
  relationship: Relationship
  populate: readonly Populate[]
}

const depthMax = 3
const relationshipsMax = 50

type ProblemOf = (relationship: Relationship) => string | undefined

/** The same, while it grows. */
type Tree = Map<Relationship, Tree>

/** `problemOf` says why a relationship of the table itself cannot be followed; `*` leaves out those. */
export function planPopulate(state: Planning, paths: readonly string[], problemOf: ProblemOf = () => undefined): Populate[] {
  const root: Tree = new Map()
  for (const path of paths.slice(0, relationshipsMax)) {
    const names = path.split('.', depthMax + 1)
    const problem = names.length > depthMax ? `A path may have ${depthMax} relationships at most.` : grow(state, root, names, problemOf)
    if (problem) state.problems.add('populate', problem)
  }
  if (paths.length > relationshipsMax || sizeOf(root) > relationshipsMax)
    state.problems.add('populate', `There may be ${relationshipsMax} relationships at most.`)
  return asPopulate(root)
}

/** Adds a path to the tree, or says what is wrong with it. */
function grow({ graph, table: start }: Planning, root: Tree, names: readonly string[], problemOf: ProblemOf): string | undefined {
  let table = start
  let tree = root
  for (const [position, name] of names.entries()) {
    const { byName, all } = relationshipsOf(graph, table)
    const problem = (relationship: Relationship) => (position === 0 ? problemOf(relationship) : undefined)
    if (name === '*' && position === names.length - 1) {
      for (const relationship of all) if (!problem(relationship)) branch(tree, relationship)
      return undefined
    }
    const relationship = byName.get(name)
    if (!relationship) {
      const known = all.map((one) => one.name).join(', ')
      return `There is no relationship ${shown(name)} of "${table.name}". Relationships: ${known || 'none'}.`
    }
    const refused = problem(relationship)
    if (refused) return refused
    tree = branch(tree, relationship)
    table = relationship.target
  }
  return undefined
}

function branch(tree: Tree, relationship: Relationship): Tree {
  const present = tree.get(relationship)
  if (present) return present
  const made: Tree = new Map()
  tree.set(relationship, made)
  return made
}

const sizeOf = (tree: Tree): number => [...tree.values()].reduce((size, below) => size + 1 + sizeOf(below), 0)

const asPopulate = (tree: Tree): Populate[] => [...tree].map(([relationship, below]) => ({ relationship, populate: asPopulate(below) }))
