/** Computes aggregates of records, in groups or of all of them. */
import type { Collection, Document } from 'mongodb'
import type { GroupForm, ResultForm, TextForm } from '../../src/data/providers/mongodb/read-forms.ts'
import type { ListedRow } from '../../src/data/providers/mongodb/wire-rows.ts'
import { collect } from './aggregates.ts'
import type { Expression } from './json-expressions.ts'
import { readLimit } from './limits.ts'
import { filterStages } from './related.ts'
import { type Aggregated, renderExpression } from './render-expression.ts'
import { renderPredicate } from './render-predicate.ts'
import { sorting } from './sorting.ts'
import { csvCell, textOfAll } from './texts.ts'
import { decode } from './values.ts'

/** The name of a result in the pipeline: a client's own could be a path or an operator. */
const nameOf = (place: number): string => `r${place}`

/** Returns the stage that groups, and the one that computes the results. */
function grouping({ keys, aggregates }: GroupForm): Document[] {
  const accumulators: Record<string, Expression> = {}
  let collected = 0
  const aggregated: Aggregated = (form) => {
    const one = collect(`a${collected++}`, form)
    Object.assign(accumulators, one.accumulators)
    return one.result
  }
  const all = keys ?? []
  const results = [
    ...all.map((_, place) => ({ $ifNull: [`$_id.${nameOf(place)}`, null] })),
    ...aggregates.map(({ of }) => renderExpression(of, aggregated)),
  ]
  const _id = keys
    ? Object.fromEntries(all.map(({ of }, place) => [nameOf(place), renderExpression(of)]))
    : null
  const computed = {
    $project: { _id: 0, ...Object.fromEntries(results.map((one, place) => [nameOf(place), one])) },
  }
  const group = { $group: { _id, ...accumulators } }
  if (keys) return [group, computed]
  // Without any record there is no group, but the results of none.
  const none = Object.fromEntries(
    Object.entries(accumulators).map(([name, accumulator]) => [name, emptyOf(accumulator as Document)]),
  )
  const only = { $ifNull: [{ $arrayElemAt: ['$all', 0] }, { $literal: none }] }
  return [{ $facet: { all: [group] } }, { $replaceRoot: { newRoot: only } }, computed]
}

const emptyOf = (accumulator: Document): unknown => {
  if ('$sum' in accumulator) return 0
  return '$push' in accumulator || '$addToSet' in accumulator ? [] : null
}

/** Returns the JSON of each result. */
const jsonOf = (results: readonly ResultForm[], document: Document): string[] =>
  results.map(({ type, items }, place) => {
    const value = document[nameOf(place)]
    return items !== undefined && Array.isArray(value)
      ? `[${value.map((one) => decode(items, one)).join(',')}]`
      : decode(type, value)
  })

/** Returns how a group is written: as an object, or as a line of CSV. */
function writing(results: readonly ResultForm[], { form }: TextForm): (document: Document) => string {
  if (form === 'csv')
    return (document) =>
      jsonOf(results, document)
        .map((json, place) => csvCell(results[place]?.type ?? 'json', json))
        .join(',')
  const names = results.map(({ name }) => JSON.stringify(name))
  return (document) =>
    `{${jsonOf(results, document)
      .map((json, place) => `${names[place]}:${json}`)
      .join(',')}}`
}

/** Throws as the driver does, and a Refusal for an answer that is too large. */
export async function groups(collection: Collection, form: GroupForm): Promise<ListedRow> {
  const { where, keys, aggregates, having, order, offset, limit, countOnly } = form
  const page = [...sorting(order).stages, { $skip: offset }, { $limit: Math.max(limit, 1) }]
  const pipeline = [
    ...filterStages(where),
    ...grouping(form),
    ...(keys
      ? [
          { $match: renderPredicate(having) },
          { $facet: { counted: [{ $count: 'n' }], ...(!countOnly && { page }) } },
        ]
      : []),
  ]
  const [found = {}] = await collection.aggregate(pipeline, { allowDiskUse: true, ...readLimit }).toArray()
  const write = writing([...(keys ?? []), ...aggregates], form)
  const rest = { found: null, ends: [null, null] as const, etag: null }
  if (!keys) {
    const text = textOfAll([found], write, form)
    return { ...rest, data: form.form ? text : text.slice(1, -1), counted: null }
  }
  const total = Number(found.counted?.[0]?.n ?? 0)
  const data = textOfAll((found.page ?? []) as Document[], write, form)
  return { ...rest, data, counted: { total, is: 'exact' } }
}
