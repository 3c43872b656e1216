/** Plans filters: names become fields, texts become typed values. */
import type { Condition, Filter } from '../parse/ast.ts'
import { all, always, any, not, type Predicate } from '../predicate.ts'
import { type Comparisons, conditionsMax, planComparisons, tooManyConditions } from './comparison.ts'
import { type End, follow, targetOf, unknownField } from './path.ts'
import type { Planning } from './planning.ts'
import { planSearch } from './search.ts'

/** Plans a filter. Adds each problem to `state.problems`. */
export function planFilter(state: Planning, filter: Filter): Predicate {
  if ('and' in filter) return all(filter.and.map((member) => planFilter(state, member)))
  if ('or' in filter) return any(filter.or.map((member) => planFilter(state, member)))
  if ('not' in filter) return not(planFilter(state, filter.not))
  return planCondition(state, filter)
}

function planCondition(state: Planning, condition: Condition): Predicate {
  const reject = ({ problem }: { problem: string }): Predicate => {
    state.problems.add(condition.parameter, problem)
    return always
  }
  const { used } = state
  // Beyond the limit, nothing is planned: patterns and unknown names take time.
  if (used.conditions > conditionsMax) return always
  const end = follow(state, condition.name)
  const comparisons = 'problem' in end ? end : planEnd(state, end, condition)
  used.conditions += 'count' in comparisons ? comparisons.count : 1
  if (used.conditions > conditionsMax) return reject({ problem: tooManyConditions })
  if ('problem' in end) return reject(end)
  if ('problem' in comparisons) return reject(comparisons)
  return end.relationships.reduceRight(
    (where, relationship): Predicate => ({ kind: 'related', relationship, where }),
    comparisons.where,
  )
}

const searchName = 'search'

/** Plans the condition on a record: on its fields, or on its words. */
function planEnd(state: Planning, end: End, condition: Condition): Comparisons | { problem: string } {
  const { table, rest } = end
  // A field called `search` has precedence.
  if (rest === searchName && state.searching && !table.fields.has(rest)) {
    const searches: Predicate[] = []
    if (condition.values.length > conditionsMax) return { problem: tooManyConditions }
    for (const text of condition.values) {
      const search = planSearch(table, text, state.searching)
      if ('problem' in search) return search
      searches.push(search)
    }
    return { where: all(searches), count: searches.length }
  }
  const target = targetOf(table, rest) ?? unknownField(state, end)
  if ('problem' in target) return target
  state.used.operators.set(target.operator, condition.name)
  if (target.operator.endsWith('matches')) state.used.patterns.add(condition.parameter)
  return planComparisons(target, condition)
}
