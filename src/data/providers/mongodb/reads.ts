/** Reads records of tables in MongoDB: each list is one question. */
import type { AggregationPlan } from '../../query/plan/aggregation/plan-aggregation.ts'
import type { OnePlan, ReadPlan } from '../../query/plan/plan.ts'
import type { ListRow } from '../../query/render/render-list.ts'
import type { OneRow } from '../../query/render/render-one.ts'
import { Elsewhere } from './elsewhere.ts'
import { groupForm } from './expression-form.ts'
import { collectionForm } from './forms.ts'
import { pageForm, pageOfOne } from './page-form.ts'
import type { TextForm } from './read-forms.ts'

/**
 * Returns the statement of a list: see `pageForm`. `text`: omitted, a JSON array. Throws 422 for a plan that
 * MongoDB cannot run.
 */
export function listElsewhere(
  plan: ReadPlan | AggregationPlan,
  exactMax: number,
  text: Partial<TextForm> = {},
): Elsewhere<ListRow> {
  if ('keys' in plan)
    return new Elsewhere(plan.table, {
      ask: 'groups',
      collection: collectionForm(plan.table),
      groups: { ...groupForm(plan), ...text },
    })
  return new Elsewhere(plan.table, {
    ask: 'list',
    collection: collectionForm(plan.table),
    page: { ...pageForm(plan, exactMax), ...text },
  })
}

/**
 * Returns the statement of one record. Its `data` is empty if there is none. Throws as `listElsewhere`
 * does.
 */
export const oneElsewhere = (plan: OnePlan): Elsewhere<OneRow> =>
  new Elsewhere(plan.table, { ask: 'one', collection: collectionForm(plan.table), page: pageOfOne(plan) })
