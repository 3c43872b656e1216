/** Plans filters: names become fields, texts become typed values. */
import type { Field } from '../../model/field.ts'
import type { Condition, Filter } from '../parse/ast.ts'
import { lacksCondition, parseFilter } from '../parse/filter-tree.ts'
import { all, always, any, not, type Predicate } from '../predicate.ts'
import {
  type Comparisons,
  conditionsMax,
  planComparisons,
  readFlag,
  tooManyConditions,
} from './comparison.ts'
import { type End, follow, type RelationshipName, relationshipName, targetOf, unknownField } from './path.ts'
import type { Planning } from './planning.ts'
import { overlaps, planRange } from './range-overlap.ts'
import { planSearch } from './search.ts'

interface Problem {
  problem: string
}

/** Plans a filter. Adds each problem to `state.problems`. */
export function planFilter(state: Planning, filter: Filter): Predicate {
  if ('and' in filter) return all(filter.and.map((member) => planFilter(state, member)))
  if ('or' in filter) return any(filter.or.map((member) => planFilter(state, member)))
  if ('not' in filter) return not(planFilter(state, filter.not))
  return planCondition(state, filter)
}

function planCondition(state: Planning, condition: Condition): Predicate {
  const reject = ({ problem }: Problem): Predicate => {
    state.problems.add(condition.parameter, problem)
    return always
  }
  const { used } = state
  // Beyond the limit, nothing is planned: patterns and unknown names take time.
  if (used.conditions > conditionsMax) return always
  const ofRelationship = relationshipName(state, condition.name)
  const end = follow(state, ofRelationship?.path ?? condition.name, ofRelationship !== undefined)
  if ('problem' in end) {
    used.conditions++
    return reject(end)
  }
  if (ofRelationship) {
    used.conditions++
    const planned = planRelationship(state, end, ofRelationship, condition)
    return 'problem' in planned ? reject(planned) : planned
  }
  const comparisons = planEnd(state, end, condition)
  used.conditions += 'of' in comparisons ? comparisons.of.length : 1
  if (used.conditions > conditionsMax) return reject({ problem: tooManyConditions })
  return 'problem' in comparisons ? reject(comparisons) : alongPath(end, comparisons)
}

/** Returns the condition that the path of `end` leads to a record that passes. */
const leadsTo = ({ relationships }: End, where: Predicate): Predicate =>
  relationships.reduceRight(
    (of, relationship): Predicate => ({ kind: 'related', relationship, where: of }),
    where,
  )

/**
 * Applies comparisons to the records that a path leads to. A negation over a path to many means that no
 * related record passes the positive comparison, each comparison for itself. R21.
 */
function alongPath(end: End, { of, isNegated, isAny }: Comparisons): Predicate {
  const [only] = of
  if (only?.kind === 'hasValue' && isKey(end, only.operand.field) && !only.operand.property)
    return all(
      of.map((one) => (one.kind === 'hasValue' && one.is ? leadsSomewhere(end) : not(leadsSomewhere(end)))),
    )
  if (!isNegated) return leadsTo(end, isAny ? any(of) : all(of))
  return end.relationships.some(({ to }) => to === 'many')
    ? all(of.map((one) => not(leadsTo(end, one))))
    : leadsTo(end, all(of.map(not)))
}

/** Tells whether a field is a part of the key of the records that a path leads to. */
const isKey = ({ relationships, table }: End, field: Field): boolean =>
  relationships.length > 0 && table.primaryKey.includes(field)

/** Returns the condition that the path leads to a record. */
const leadsSomewhere = (end: End): Predicate => leadsTo(end, existing(end))

/** Returns a condition that a record of the path's end meets, and a missing one does not. */
function existing({ relationships, table }: End): Predicate {
  const [key] = table.primaryKey
  return relationships.at(-1)?.to === 'one' && key
    ? { kind: 'hasValue', operand: { field: key }, is: true }
    : always
}

/**
 * Plans a condition on a relationship: whether it has records, or whether one or none of them meets several
 * conditions together.
 */
function planRelationship(
  state: Planning,
  end: End,
  { operator }: RelationshipName,
  { parameter, name, values, json }: Condition,
): Predicate | Problem {
  if (operator === 'null' || operator === 'nnull') {
    const flags = values.map(readFlag)
    const problem = flags.find((flag) => typeof flag === 'object')
    if (problem) return problem
    const found = leadsSomewhere(end)
    return all(flags.map((flag) => (flag === (operator === 'null') ? not(found) : found)))
  }
  if (!json) return { problem: `"${name}" holds conditions. Send it as JSON in filters.` }
  const filter = parseFilter(parameter, values[0], state.problems)
  if (lacksCondition(filter)) state.used.hasEmptyPart = true
  const inside = {
    ...state,
    table: end.table,
    within: [state.within, ...end.relationships.map((one) => one.name)].filter(Boolean).join('.'),
    steps: (state.steps ?? 0) + end.relationships.length,
  }
  const found = leadsTo(end, all([existing(end), planFilter(inside, filter)]))
  // The alternative keeps its conditions apart from others on the same path, which another record may meet.
  return operator === 'some' ? any([found]) : not(found)
}

const searchName = 'search'

/** Plans the condition on a record: on its fields, or on its words. */
function planEnd(state: Planning, end: End, condition: Condition): Comparisons | Problem {
  const { table, rest, type } = end
  // A field called `search` has precedence.
  if (rest === searchName && type === undefined && state.searching && !table.fields.has(rest)) {
    const searches: Predicate[] = []
    if (condition.values.length > conditionsMax) return { problem: tooManyConditions }
    for (const text of condition.values) {
      const search = planSearch(table, text, state.searching)
      if ('problem' in search) return search
      searches.push(search)
    }
    return { of: searches, isNegated: false, isAny: false }
  }
  const range = planRange(end, condition)
  if (range) {
    state.used.operators.set(overlaps, condition.name)
    return range
  }
  const target = targetOf(end) ?? unknownField(state, end)
  if ('problem' in target) return target
  state.used.operators.set(target.operator, condition.name)
  if (target.operator.endsWith('matches')) state.used.patterns.add(condition.parameter)
  return planComparisons(target, condition)
}
