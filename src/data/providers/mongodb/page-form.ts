/** Writes the plans of lists as plain data. */
import { answerBytesMax } from '../../../kernel/db/answer-bytes.ts'
import type { OnePlan, ReadPlan } from '../../query/plan/plan.ts'
import type { Populate, Shown } from '../../query/plan/shown.ts'
import { always } from '../../query/predicate.ts'
import { countedMax } from '../../query/render/render-total.ts'
import { adoptedBy, notInMongodb } from './capabilities.ts'
import { expressionForm } from './expression-form.ts'
import { type Computed, fieldForms, keyOrder, orderForm, predicateForm, relatedForm } from './forms.ts'
import type { PageForm, PopulateForm, ShownForm } from './read-forms.ts'

/**
 * Returns a page of a list, whose default total is exact up to `exactMax`. Throws 422 for a plan that MongoDB
 * cannot run.
 */
export function pageForm(plan: ReadPlan, exactMax: number): PageForm {
  const { keyset, annotations, distinct } = plan
  const all = annotations?.all ?? []
  const table: Computed = {
    ...plan.table,
    computed: new Map(all.map(({ field }, place) => [field, `_c${place}`])),
  }
  if (plan.found) throw notInMongodb('search_filter')
  return {
    where: predicateForm(table, plan.where),
    order: orderForm(table, plan.order),
    offset: plan.offset,
    limit: plan.limit,
    countOnly: plan.countOnly,
    total: plan.total === 'exact' || plan.total === 'none' ? plan.total : 'limited',
    countedMax: plan.total === 'estimated' ? countedMax : exactMax,
    ...shownForm(table, plan),
    ...(annotations && {
      computed: all.map(({ expression }, place) => ({
        path: `_c${place}`,
        of: expressionForm(table, expression),
      })),
      filtersComputed: annotations.where.length > 0,
    }),
    ...(distinct.length > 0 && { distinct: distinct.map((one) => expressionForm(table, one)) }),
    ...(keyset && { seek: { isBackward: keyset.isBackward, values: keyset.values ?? null } }),
    bytesMax: answerBytesMax,
  }
}

/** Returns the content of records. */
function shownForm(table: Computed, { fields, populate }: Shown): ShownForm {
  return {
    shown: fieldForms(table, fields),
    ...(adoptedBy(table) !== undefined && { tellsMisfits: true }),
    ...(populate.length > 0 && { populate: populate.map((one) => populateForm(table, one)) }),
  }
}

function populateForm(table: Computed, populate: Populate): PopulateForm {
  const { relationship, question } = populate
  const { name, to, target } = relationship
  return {
    name,
    to,
    related: relatedForm(table, relationship, question?.where ?? always),
    order: question ? orderForm(target, question.order) : keyOrder(target),
    offset: question?.offset ?? 0,
    limit: question?.limit ?? null,
    isCounted: question?.count ?? false,
    ...shownForm(target, populate),
  }
}

/** Returns the page that has one record. Throws as `pageForm` does. */
export const pageOfOne = (plan: OnePlan): PageForm =>
  pageForm(
    {
      ...plan,
      found: undefined,
      order: [],
      distinct: [],
      limit: 1,
      offset: 0,
      rankedMax: undefined,
      keyset: undefined,
      countOnly: false,
      total: 'none',
    },
    0,
  )
