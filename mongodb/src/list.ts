/** Lists a page of records. */
import type { Collection, Document } from 'mongodb'
import type {
  CollectionForm,
  ExpressionForm,
  PageForm,
  ShownForm,
  TermForm,
  TextForm,
} from '../../src/data/providers/mongodb/read-forms.ts'
import type { ListedRow } from '../../src/data/providers/mongodb/wire-rows.ts'
import { isOutOfTime } from './failures.ts'
import { readLimit, totalLimits } from './limits.ts'
import { versionOf } from './misfits.ts'
import { filterStages, keepMembers, membersOf, populateStages, shownMembers, shownText } from './related.ts'
import { renderExpression } from './render-expression.ts'
import { positionValue } from './render-predicate.ts'
import { type Sorted, sorting } from './sorting.ts'
import { csvText, textOfAll, textsOf } from './texts.ts'
import { positionText, valueAt, versionName } from './values.ts'

/** The member that has the whole document. */
const wholeName = '_whole'

const reversed = (term: TermForm): TermForm => ({
  ...term,
  descending: !term.descending,
  nullsFirst: !term.nullsFirst,
})

/** Returns the condition that a document comes after a position. */
function after(terms: readonly Sorted[], values: readonly (string | null)[]): Document {
  const alternatives = terms.flatMap((term, place) => {
    const same = terms.slice(0, place).map((one, position) => ({
      [one.name]: { $eq: positionValue(one.operand.type, values[position] ?? null) },
    }))
    const next = follows(term, values[place] ?? null)
    return next ? [{ $and: [...same, next] }] : []
  })
  return alternatives.length > 0 ? { $or: alternatives } : { $nor: [{}] }
}

/** Returns the condition that a value follows another; undefined if none does. */
function follows(
  { name, descending, nullsFirst, operand }: Sorted,
  text: string | null,
): Document | undefined {
  if (text === null) return nullsFirst ? { [name]: { $ne: null } } : undefined
  const beyond = { [name]: { [descending ? '$lt' : '$gt']: positionValue(operand.type, text) } }
  return nullsFirst ? beyond : { $or: [beyond, { [name]: { $eq: null } }] }
}

/**
 * Counts the records of a list. Beyond `countedMax`, or the time for it, only the number of a whole
 * collection can be estimated.
 */
async function countOf(
  collection: Collection,
  { total, countedMax, distinct, filtersComputed }: PageForm,
  matched: readonly Document[],
): Promise<ListedRow['counted']> {
  if (total === 'none') return null
  const isWhole = total === 'exact'
  const pipeline = [
    ...matched,
    ...(distinct ? [{ $group: { _id: combinationOf(distinct) } }] : []),
    ...(isWhole ? [] : [{ $limit: countedMax + 1 }]),
    { $count: 'n' },
  ]
  const limit = totalLimits[isWhole ? 'exact' : 'limited']
  const counted = await collection
    .aggregate(pipeline, { allowDiskUse: true, ...limit })
    .toArray()
    .catch((error: unknown) => {
      if (isOutOfTime(error)) return undefined
      throw error
    })
  const count = Number(counted?.[0]?.n ?? 0)
  if (counted && (isWhole || count <= countedMax)) return { total: count, is: 'exact' }
  if (isWhole) return { total: null, is: 'timeout' }
  const isFiltered = matched.some(({ $match: where = {} }) => Object.keys(where).length > 0)
  if (isFiltered || filtersComputed || distinct) return { total: null, is: 'more' }
  return { total: await collection.estimatedDocumentCount(readLimit), is: 'estimated' }
}

const combinationOf = (values: readonly ExpressionForm[]): Document =>
  Object.fromEntries(values.map((one, place) => [`d${place}`, renderExpression(one)]))

/** Returns the stages that keep the first record, in an order, of each combination of values. */
const firstOfEach = (values: readonly ExpressionForm[], order: readonly TermForm[]): Document[] => [
  ...sorting(order).stages,
  { $group: { _id: combinationOf(values), first: { $first: '$$ROOT' } } },
  { $replaceRoot: { newRoot: '$first' } },
]

/** Returns the stages that find the records, and compute their fields. */
function matching({ where, computed = [], filtersComputed = false }: PageForm): Document[] {
  const match = filterStages(where)
  if (computed.length === 0) return match
  const added = {
    $addFields: Object.fromEntries(computed.map(({ path, of }) => [path, renderExpression(of)])),
  }
  return filtersComputed ? [added, ...match] : [...match, added]
}

const writing =
  (shown: ShownForm, { form }: Pick<TextForm, 'form'>) =>
  (document: Document): string =>
    form === 'csv' ? csvText(document, shown.shown) : shownText(document, shown)

/** Writes records as a text. Throws a Refusal if it is too long. */
export const recordsText = (documents: readonly Document[], shown: ShownForm, form: TextForm): string =>
  textOfAll(documents, writing(shown, form), form)

/** Lists a page. Throws as the driver does, and a Refusal for an answer that is too large. */
export async function list(collection: Collection, form: CollectionForm, page: PageForm): Promise<ListedRow> {
  const { key, fields } = form
  const { seek, distinct } = page
  const matched = matching(page)
  const order = seek?.isBackward ? page.order.map(reversed) : page.order
  const { stages, terms } = sorting(order)
  const isAdded = (stage: Document) => '$addFields' in stage
  const keys = fields.filter(({ name }) => key.includes(name))
  const kept = [
    ...shownMembers(page),
    ...membersOf(keys.map(({ path }) => path)),
    versionName,
    ...terms.map(({ name }) => name.split('.')[0] ?? ''),
  ]
  // The version of a document of others is a digest of the whole.
  const isWhole = form.isAdopted === true && page.limit === 1
  const pipeline = [
    ...matched.slice(0, 1),
    ...(isWhole ? [{ $addFields: { [wholeName]: '$$ROOT' } }] : []),
    ...matched.slice(1),
    ...(distinct ? firstOfEach(distinct, page.order) : []),
    ...stages.filter(isAdded),
    ...(seek?.values ? [{ $match: after(terms, seek.values) }] : []),
    ...stages.filter((stage) => !isAdded(stage)),
    ...(page.offset > 0 ? [{ $skip: page.offset }] : []),
    { $limit: page.limit + 1 },
    ...populateStages(page),
    keepMembers(isWhole ? [...kept, wholeName] : kept),
  ]
  // One command returns the whole page, of which one document at a time is read.
  const options = { allowDiskUse: true, ...readLimit, batchSize: page.limit + 2 }
  const texts = textsOf(page)
  const write = writing(page, page)
  const seen: { number: number; first?: Document; last?: Document } = { number: 0 }
  const read = async () => {
    for await (const document of collection.aggregate(pipeline, options)) {
      if (++seen.number > page.limit) break
      seen.first ??= document
      seen.last = document
      texts.add(write(document))
    }
  }
  const [, counted] = await Promise.all([
    page.countOnly ? undefined : read(),
    countOf(collection, page, matched),
  ])
  const [first, last] = seek?.isBackward ? [seen.last, seen.first] : [seen.first, seen.last]
  const endAt = (document: Document | undefined) =>
    document === undefined
      ? null
      : terms.map(({ operand, name }) => positionText(operand.type, valueAt(document, name)))
  return {
    data: texts.all(seek?.isBackward),
    found: page.countOnly ? null : seen.number,
    counted,
    ends: [endAt(first), endAt(last)],
    etag: first === undefined ? null : versionOf(form, isWhole ? first[wholeName] : first),
  }
}
