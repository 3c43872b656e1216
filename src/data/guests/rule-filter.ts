/** Plans the filters of access rules: filters of the query language, with claims of the caller as values. */
import { nearest } from '../../kernel/lib/nearest.ts'
import { quoteValue } from '../../kernel/lib/quote-value.ts'
import type { AccessRule } from '../model/access.ts'
import type { RelationshipGraph } from '../model/relationships.ts'
import type { Table } from '../model/table.ts'
import { parseFilter } from '../query/parse/filter-tree.ts'
import { planFilter } from '../query/plan/filter.ts'
import { planning } from '../query/plan/planning.ts'
import { always, type BoundValue, type Predicate } from '../query/predicate.ts'
import { Problems } from '../query/problems.ts'
import { claims } from './claims.ts'

/**
 * Returns the predicate of a rule's `where` or `check`. Adds each problem to `problems`, with `place` before
 * its message.
 */
export function planRuleFilter(
  table: Table,
  graph: RelationshipGraph,
  condition: AccessRule['where'],
  place: string,
  problems: Problems,
): Predicate {
  if (condition === undefined) return always
  const found = new Problems()
  const filter = parseFilter(
    place,
    withStandIns(condition, (problem) => found.add(place, problem)),
    found,
  )
  const state = planning(table, found, graph)
  const planned = found.isEmpty ? planFilter(state, filter) : always
  for (const [operator, name] of state.used.operators) {
    const fixed = fixedOperators.find((one) => operator.endsWith(one))
    if (fixed) found.add(place, `"${name}" is not possible in a rule: "${fixed}" ${reasons[fixed]}.`)
  }
  const predicate = found.isEmpty ? withClaims(planned, (problem) => found.add(place, problem)) : always
  for (const problem of Object.values(found.details()).flat()) problems.add(place, withoutStandIns(problem))
  return predicate
}

const reasons = {
  within: "is a named date range, which would stay fixed to today's date",
  imatches: 'can fail in Postgres when a guest uses it',
  matches: 'can fail in Postgres when a guest uses it',
}
const fixedOperators = Object.keys(reasons) as (keyof typeof reasons)[]

/** Replaces each `{"$": name}` by the stand-in of the claim. */
function withStandIns(value: unknown, reject: (problem: string) => void): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((element) => withStandIns(element, reject))
  const members = Object.entries(value)
  const [[name, named] = []] = members
  if (name !== '$' || members.length !== 1)
    return Object.fromEntries(members.map(([member, of]) => [member, withStandIns(of, reject)]))
  const claim = claims.find((one) => one.name === named)
  if (claim) return claim.standIn
  reject(unknownClaim(named))
  return null
}

/** Returns the message about an unknown claim. */
export function unknownClaim(named: unknown): string {
  const names = claims.map((one) => one.name)
  const suggestion = typeof named === 'string' ? nearest(named, names) : undefined
  const question = suggestion ? ` Did you mean "${suggestion}"?` : ''
  return `There is no value {"$": ${quoteValue(named)}}.${question} Values: ${names.join(', ')}.`
}

/** Names the claims in a message instead of their stand-ins. */
const withoutStandIns = (message: string): string =>
  claims.reduce(
    (text, { name, planned }) =>
      text.replaceAll(`"${planned}"`, planned).replaceAll(planned, `{"$": "${name}"}`),
    message,
  )

/** Replaces the stand-ins of claims in a planned predicate by the claims. */
function withClaims(predicate: Predicate, reject: (problem: string) => void): Predicate {
  const inside = (one: Predicate) => withClaims(one, reject)
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return { ...predicate, of: predicate.of.map(inside) }
    case 'not':
      return { ...predicate, of: inside(predicate.of) }
    case 'related': {
      const { target, junction } = predicate.relationship
      const foreign = [target, junction?.table].find((table) => table?.source)
      if (foreign) reject(`A rule cannot lead through "${foreign.name}", which is a table of another app.`)
      return { ...predicate, where: inside(predicate.where) }
    }
    case 'compare':
      return { ...predicate, values: predicate.values.map((value) => withClaim(value, reject)) }
    case 'overlaps':
      if (predicate.ends.some((end) => end !== null && mentions(end))) reject(onlyCompared)
      return predicate
    case 'search':
      if (mentions(JSON.stringify(predicate.query))) reject(onlyCompared)
      return predicate
    default:
      return predicate
  }
}

const onlyCompared =
  'Values of the caller can only be used with =, ne, gt, gte, lt and lte; user.groups and user.roles with in.'

function withClaim(bound: BoundValue, reject: (problem: string) => void): BoundValue {
  const { value, type } = bound
  const texts = typeof value === 'string' ? [value] : value
  if (!isTexts(texts)) return bound
  const [only = ''] = texts
  const claim = claims.find(
    ({ planned, isList }) => planned === only && isList === (typeof value !== 'string'),
  )
  if (claim && texts.length === 1) return { value: claim.value, type }
  if (texts.some(mentions)) reject(onlyCompared)
  return bound
}

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value)

const mentions = (text: string): boolean => claims.some(({ planned }) => text.includes(planned))
