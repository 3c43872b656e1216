/**
 * Plans the content of records: some or all of their fields, and related records. Terms are names of
 * relationships joined by dots; `*` stands for everything in a table. R5.
 */
import { quoteValue } from '../../../kernel/lib/quote-value.ts'
import type { Field } from '../../model/field.ts'
import { type Relationship, relationshipsOf } from '../../model/relationships.ts'
import type { Table } from '../../model/table.ts'
import type { FieldTerm, PopulateQuestion, PopulateTerm, View } from '../parse/ast.ts'
import { populateDepthMax } from '../parse/view.ts'
import { all, type Predicate } from '../predicate.ts'
import { planFilter } from './filter.ts'
import { type Order, planOrder } from './order.ts'
import { unknownField, unknownRelationship } from './path.ts'
import { type Planning, planningWithin } from './planning.ts'

/** The content of a record. */
export interface Shown {
  /** In the order of the schema. Undefined: all fields of the table. */
  fields: readonly Field[] | undefined
  populate: readonly Populate[]
}

/** A relationship to follow, and the content of its records. */
export interface Populate extends Shown {
  relationship: Relationship
  /** Undefined: all related records are wanted. */
  question: Question | undefined
}

/** The related records to return. */
interface Question {
  where: Predicate
  order: readonly Order[]
  /** Undefined: as many as an array has at most. */
  limit: number | undefined
  /** The number of records to skip. */
  offset: number
  /** Whether to count all that match, too. */
  count: boolean
}

const relationshipsMax = 50
const fieldsMax = 500

type ProblemOf = (relationship: Relationship) => string | undefined

/** The records at the end of a path, while the terms for them are read. */
interface Branch {
  table: Table
  question: PopulateQuestion | undefined
  below: Map<Relationship, Branch>
  named: Set<Field>
  excluded: Set<Field>
  /** Whether `*` names all fields. */
  hasAll: boolean
  /** Whether a term names a field of a related record. */
  leadsOn: boolean
}

const branchAt = (table: Table): Branch => ({
  table,
  question: undefined,
  below: new Map(),
  named: new Set(),
  excluded: new Set(),
  hasAll: false,
  leadsOn: false,
})

/**
 * Plans the content of records. `problemOf` returns why a relationship of the table itself cannot be used;
 * `*` skips such relationships. Adds each problem to `state.problems`.
 */
export function planShown(
  state: Planning,
  { populate, fields }: View,
  problemOf: ProblemOf = () => undefined,
): Shown {
  const root = branchAt(state.table)
  for (const term of populate.slice(0, relationshipsMax)) {
    const problem = addPath(state, root, term, problemOf)
    if (problem) state.problems.add('populate', problem)
  }
  if (fields.length > fieldsMax) state.problems.add('fields', `At most ${fieldsMax} names are allowed.`)
  for (const term of fields.slice(0, fieldsMax)) {
    const problem = addField(state, root, term, problemOf)
    if (problem) state.problems.add(term.parameter, problem)
  }
  const isPopulate = populate.length > 0
  if (populate.length > relationshipsMax || sizeOf(root) > relationshipsMax)
    state.problems.add(
      isPopulate ? 'populate' : 'fields',
      `At most ${relationshipsMax} relationships are allowed.`,
    )
  return shownBy(state, root)
}

/** Adds a path of relationships, or returns its problem. */
function addPath(
  state: Planning,
  root: Branch,
  { path, question }: PopulateTerm,
  problemOf: ProblemOf,
): string | undefined {
  const names = path.split('.', populateDepthMax + 1)
  if (names.length > populateDepthMax) return tooDeep
  let branch = root
  for (const [position, name] of names.entries()) {
    if (name === '*' && position === names.length - 1) {
      for (const relationship of relationshipsOf(state.graph, branch.table).all)
        if (branch !== root || !problemOf(relationship)) branchTo(branch, relationship)
      return [...branch.below.keys()].find(({ problem }) => problem)?.problem
    }
    const next = follow(state, root, branch, name, problemOf)
    if (typeof next === 'string') return next
    branch = branchTo(branch, next)
  }
  if (question && branch.question) return `${quoteValue(path)} is populated twice, under two names.`
  branch.question ??= question
  return undefined
}

const tooDeep = `A path may follow ${populateDepthMax} relationships at most.`

/** Adds a term of `fields`, or returns its problem. A related field that is named is populated. */
function addField(
  state: Planning,
  root: Branch,
  { within, name, excluded }: FieldTerm,
  problemOf: ProblemOf,
): string | undefined {
  const path = name.split('.', populateDepthMax + 2)
  const last = path.pop() as string
  if (path.length > populateDepthMax) return tooDeep
  let branch = root
  for (const step of within === '' ? [] : within.split('.')) {
    const next = branch.below.get(relationshipsOf(state.graph, branch.table).byName.get(step) as Relationship)
    // The relationship is unknown, and its problem has been added already.
    if (!next) return undefined
    branch = next
  }
  for (const step of path) {
    const next = follow(state, root, branch, step, problemOf)
    if (typeof next === 'string') return next
    if (excluded && !branch.below.has(next)) return notPopulated(next.name)
    branch.leadsOn ||= !excluded
    branch = branchTo(branch, next)
  }
  if (last === '*') {
    branch.hasAll = true
    return excluded ? '* cannot be omitted. List the fields to show.' : undefined
  }
  const field = branch.table.fields.get(last)
  if (field) {
    const [here, there] = excluded ? [branch.excluded, branch.named] : [branch.named, branch.excluded]
    here.add(field)
    return there.size > 0 ? eitherOr : undefined
  }
  const relationship = relationshipsOf(state.graph, branch.table).byName.get(last)
  if (!relationship) return unknownField(state, { table: branch.table, rest: last, parts: [] }).problem
  if (excluded) return branch.below.delete(relationship) ? undefined : notPopulated(last)
  const problem = (branch === root && problemOf(relationship)) || relationship.problem
  if (problem) return problem
  branch.leadsOn = true
  branchTo(branch, relationship).hasAll = true
  return undefined
}

const eitherOr = 'List the fields to show, or the fields to omit with a "-" before them, but not both.'
const notPopulated = (name: string): string =>
  `${quoteValue(name)} is not populated, so nothing of it can be left out.`

/** Returns a relationship by its name, or the problem with it. */
function follow(
  state: Planning,
  root: Branch,
  branch: Branch,
  name: string,
  problemOf: ProblemOf,
): Relationship | string {
  const relationship = relationshipsOf(state.graph, branch.table).byName.get(name)
  if (!relationship) return unknownRelationship(state, branch.table, name).problem
  return (branch === root && problemOf(relationship)) || (relationship.problem ?? relationship)
}

function branchTo({ below }: Branch, relationship: Relationship): Branch {
  const present = below.get(relationship)
  if (present) return present
  const made = branchAt(relationship.target)
  below.set(relationship, made)
  return made
}

const sizeOf = ({ below }: Branch): number =>
  [...below.values()].reduce((size, branch) => size + 1 + sizeOf(branch), 0)

function shownBy(state: Planning, branch: Branch): Shown {
  const fields = fieldsOf(branch)
  if (fields?.length === 0 && branch.below.size === 0)
    state.problems.add('fields', `No field of "${branch.table.name}" would be left.`)
  const populate = [...branch.below].map(([relationship, below]): Populate => {
    const path = [state.within, relationship.name].filter(Boolean).join('.')
    const inside = planningWithin(state, path, below.table)
    const question = below.question && planQuestion(inside, relationship, below.question)
    return { relationship, question, ...shownBy(inside, below) }
  })
  return { fields, populate }
}

function planQuestion(
  state: Planning,
  { name, to, pairs, junction }: Relationship,
  question: PopulateQuestion,
): Question {
  const { filters, sort, limit, offset, count } = question
  if (to === 'one' && (sort.length > 0 || limit !== undefined || offset > 0 || count))
    state.problems.add(
      'populate',
      `A record has one "${name}" at most: only filters, fields and populate apply.`,
    )
  const where = all(filters.map((filter) => planFilter(state, filter)))
  const within = junction ? [] : pairs.map(({ far }) => far.name)
  return { where, order: planOrder(state, sort, where, within), limit, offset, count }
}

/** Returns the fields that a record shows; undefined for all. */
function fieldsOf({ table, named, excluded, hasAll, leadsOn }: Branch): Field[] | undefined {
  const fields = [...table.fields.values()]
  if (excluded.size > 0) return fields.filter((field) => !excluded.has(field))
  if (hasAll || (named.size === 0 && !leadsOn)) return undefined
  return fields.filter((field) => named.has(field))
}
