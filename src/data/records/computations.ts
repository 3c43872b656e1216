/** The parts of a plan that compute values. */
import type { AggregationPlan } from '../query/plan/aggregation/plan-aggregation.ts'
import type { Result } from '../query/plan/aggregation/results.ts'
import type { ReadPlan } from '../query/plan/plan.ts'

/** Returns the client's expressions that a statement computes. */
export const computedBy = (plan: ReadPlan | AggregationPlan): readonly Result[] =>
  'keys' in plan ? [...(plan.keys ?? []), ...plan.aggregates] : (plan.annotations?.all ?? [])

/** Tells whether a statement may have to read and group all records before it knows the page. */
export const isHeavy = (plan: ReadPlan | AggregationPlan): boolean =>
  'keys' in plan || plan.distinct.length > 0 || (plan.annotations?.page ?? []).length > 0
