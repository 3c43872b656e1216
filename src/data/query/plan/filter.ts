/** Plans filters: names become fields, texts become typed values. */
import type { Condition, Filter } from '../parse/ast.ts'
import { all, always, any, not, type Predicate } from '../predicate.ts'
import { type Comparisons, planComparisons } from './comparison.ts'
import { type End, follow, targetOf, unknownField } from './path.ts'
import type { Planning } from './planning.ts'
import { planSearch } from './search.ts'

const conditionsMax = 100

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
  const end = follow(state, condition.name)
  if ('problem' in end) return reject(end)
  const comparisons = planEnd(state, end, condition)
  if ('problem' in comparisons) return reject(comparisons)
  const { used } = state
  const before = used.conditions
  used.conditions += comparisons.count
  if (before > conditionsMax) return always
  if (used.conditions > conditionsMax)
    return reject({ problem: `At most ${conditionsMax} conditions are allowed.` })
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
