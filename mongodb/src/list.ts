/** Lists a page of records. */
import type { ClientSession, Collection, Document } from 'mongodb'
import type {
  CollectionForm,
  ExpressionForm,
  FieldForm,
  PageForm,
  ShownForm,
  TermForm,
  TextForm,
} from '../../src/data/providers/mongodb/read-forms.ts'
import type { ListedRow } from '../../src/data/providers/mongodb/wire.ts'
import { filterStages, populatedNames, populateStages, shownText } from './related.ts'
import { renderExpression } from './render-expression.ts'
import { positionValue } from './render-predicate.ts'
import { type Sorted, sorting } from './sorting.ts'
import { csvText, textOfAll } from './texts.ts'
import { positionText, valueAt } from './values.ts'

/** The name under which a document carries the version of its record. */
export const versionName = '_v'

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

const membersOf = (fields: readonly FieldForm[]): string[] => [
  ...new Set(fields.map(({ path }) => (path.startsWith('_id') ? '_id' : path))),
]

/** Counts the records of a list. Beyond `countedMax`, only the number of a whole collection can be estimated. */
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
  const [found] = await collection.aggregate(pipeline, { allowDiskUse: true }).toArray()
  const count = Number(found?.n ?? 0)
  if (isWhole || count <= countedMax) return { total: count, is: 'exact' }
  const isFiltered = matched.some(({ $match: where = {} }) => Object.keys(where).length > 0)
  if (isFiltered || filtersComputed || distinct) return { total: null, is: 'more' }
  return { total: await collection.estimatedDocumentCount(), is: 'estimated' }
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

/** Writes records as a text. Throws a Refusal if it is too long. */
export const recordsText = (
  documents: readonly Document[],
  shown: ShownForm,
  { form, bytesMax }: TextForm,
): string =>
  textOfAll(
    documents,
    (document) => (form === 'csv' ? csvText(document, shown.shown) : shownText(document, shown)),
    { form, bytesMax },
  )

/** Lists a page. Throws as the driver does, and a Refusal for an answer that is too large. */
export async function list(
  collection: Collection,
  { key, fields }: CollectionForm,
  page: PageForm,
  session?: ClientSession,
): Promise<ListedRow> {
  const { seek, distinct } = page
  const matched = matching(page)
  const order = seek?.isBackward ? page.order.map(reversed) : page.order
  const { stages, terms } = sorting(order)
  const isAdded = (stage: Document) => '$addFields' in stage
  const keys = fields.filter(({ name }) => key.includes(name))
  const kept = [
    ...membersOf([...page.shown, ...keys]),
    versionName,
    ...terms.map(({ name }) => name.split('.')[0] ?? ''),
    ...populatedNames(page),
  ]
  const pipeline = [
    ...matched,
    ...(distinct ? firstOfEach(distinct, page.order) : []),
    ...stages.filter(isAdded),
    ...(seek?.values ? [{ $match: after(terms, seek.values) }] : []),
    ...stages.filter((stage) => !isAdded(stage)),
    ...(page.offset > 0 ? [{ $skip: page.offset }] : []),
    { $limit: page.limit + 1 },
    ...populateStages(page),
    { $project: Object.fromEntries(kept.map((name) => [name, 1])) },
  ]
  const options = { ...(session && { session }), allowDiskUse: true }
  const [found, counted] = await Promise.all([
    page.countOnly ? [] : collection.aggregate(pipeline, options).toArray(),
    countOf(collection, page, matched),
  ])
  const rows = found.slice(0, page.limit)
  if (seek?.isBackward) rows.reverse()
  const endAt = (document: Document | undefined) =>
    document === undefined
      ? null
      : terms.map(({ operand, name }) => positionText(operand.type, valueAt(document, name)))
  return {
    data: recordsText(rows, page, page),
    found: page.countOnly ? null : found.length,
    counted,
    ends: [endAt(rows[0]), endAt(rows.at(-1))],
    etag: rows[0] === undefined ? null : String(rows[0][versionName] ?? 0),
  }
}
