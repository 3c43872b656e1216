/** Computes aggregates of records, in groups or of all of them. */
import type { Collection, Document } from 'mongodb'
import type { GroupForm, ResultForm } from '../../src/data/providers/mongodb/read-forms.ts'
import type { ListedRow } from '../../src/data/providers/mongodb/wire.ts'
import { collect } from './aggregates.ts'
import { Refusal } from './failures.ts'
import type { Expression } from './json-expressions.ts'
import { sorting } from './list.ts'
import { type Aggregated, renderExpression } from './render-expression.ts'
import { renderPredicate } from './render-predicate.ts'
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

/** Writes results as the text of a JSON object. */
const textOf = (results: readonly ResultForm[], document: Document): string =>
  `{${results
    .map(({ name, type, items }, place) => {
      const value = document[nameOf(place)]
      const text =
        items !== undefined && Array.isArray(value)
          ? `[${value.map((one) => decode(items, one)).join(',')}]`
          : decode(type, value)
      return `${JSON.stringify(name)}:${text}`
    })
    .join(',')}}`

/** Throws as the driver does, and a Refusal for an answer that is too large. */
export async function groups(collection: Collection, form: GroupForm): Promise<ListedRow> {
  const { where, keys, aggregates, having, order, offset, limit, countOnly, bytesMax } = form
  const page = [...sorting(order).stages, { $skip: offset }, { $limit: Math.max(limit, 1) }]
  const pipeline = [
    { $match: renderPredicate(where) },
    ...grouping(form),
    ...(keys
      ? [
          { $match: renderPredicate(having) },
          { $facet: { counted: [{ $count: 'n' }], ...(!countOnly && { page }) } },
        ]
      : []),
  ]
  const [found = {}] = await collection.aggregate(pipeline, { allowDiskUse: true }).toArray()
  const results = [...(keys ?? []), ...aggregates]
  const rest = { found: null, ends: [null, null] as const, etag: null }
  if (!keys) return { ...rest, data: within(textOf(results, found), bytesMax), counted: null }
  const total = Number(found.counted?.[0]?.n ?? 0)
  const texts = ((found.page ?? []) as Document[]).map((one) => textOf(results, one))
  return { ...rest, data: within(`[${texts.join(',')}]`, bytesMax), counted: { total, is: 'exact' } }
}

function within(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) > bytesMax) throw new Refusal('answer too large', 'The answer is too large.')
  return text
}
