/** Lists a page of records. */
import type { ClientSession, Collection, Document } from 'mongodb'
import type {
  CollectionForm,
  ExpressionForm,
  FieldForm,
  OperandForm,
  PageForm,
  TermForm,
} from '../../src/data/providers/mongodb/read-forms.ts'
import type { ListedRow } from '../../src/data/providers/mongodb/wire.ts'
import { Refusal } from './failures.ts'
import { inside, isNumber, typeIs } from './json-expressions.ts'
import { renderExpression } from './render-expression.ts'
import { positionValue, renderPredicate } from './render-predicate.ts'
import { positionText, recordText, valueAt } from './values.ts'

/** The name under which a document carries the version of its record. */
export const versionName = '_v'

/** A term of an order, with the member of the documents that has its value. */
interface Sorted extends TermForm {
  name: string
}

const typesOf: Readonly<Record<string, (value: unknown) => unknown>> = {
  string: (value) => typeIs(value, 'string'),
  number: isNumber,
  boolean: (value) => typeIs(value, 'bool'),
}

/** Returns a property as a value that can be sorted: null where it is of another type. */
function sortable({ path, inside: names, type }: OperandForm): unknown {
  const value = inside(path, names)
  return { $cond: [typesOf[type]?.(value) ?? false, value, null] }
}

/**
 * Returns the stages that sort, and the members that they add. Nulls are last, or first where the term
 * says so.
 */
export function sorting(order: readonly TermForm[]): { stages: Document[]; terms: Sorted[] } {
  const added: Document = {}
  const sort: Document = {}
  const terms = order.map((term, place): Sorted => {
    const isProperty = term.operand.inside.length > 0
    const name = isProperty ? `_t${place}` : term.operand.path
    if (isProperty) added[name] = sortable(term.operand)
    return { ...term, name }
  })
  const nulls: Document = {}
  terms.forEach(({ name, descending, nullable, nullsFirst }, place) => {
    // A second term of the same value has no effect.
    if (Object.hasOwn(sort, name)) return
    // MongoDB sorts null before every value.
    if (nullable && descending === nullsFirst) {
      nulls[`_n${place}`] = { $cond: [{ $eq: [{ $ifNull: [`$${name}`, null] }, null] }, 1, 0] }
      sort[`_n${place}`] = nullsFirst ? -1 : 1
    }
    sort[name] = descending ? -1 : 1
  })
  const addedStages = [added, nulls].filter((one) => Object.keys(one).length > 0)
  return {
    stages: [
      ...addedStages.map((one) => ({ $addFields: one })),
      ...(terms.length > 0 ? [{ $sort: sort }] : []),
    ],
    terms,
  }
}

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
  const match = { $match: renderPredicate(where) }
  if (computed.length === 0) return [match]
  const added = {
    $addFields: Object.fromEntries(computed.map(({ path, of }) => [path, renderExpression(of)])),
  }
  return filtersComputed ? [added, match] : [match, added]
}

/** Writes records as a JSON array. Throws a Refusal if it is too long. */
export function recordsText(
  documents: readonly Document[],
  fields: readonly FieldForm[],
  bytesMax: number,
): string {
  let bytes = 2
  const texts = documents.map((document) => {
    const text = recordText(document, fields)
    bytes += Buffer.byteLength(text) + 1
    if (bytes > bytesMax) throw new Refusal('answer too large', 'The answer is too large.')
    return text
  })
  return `[${texts.join(',')}]`
}

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
  ]
  const pipeline = [
    ...matched,
    ...(distinct ? firstOfEach(distinct, page.order) : []),
    ...stages.filter(isAdded),
    ...(seek?.values ? [{ $match: after(terms, seek.values) }] : []),
    ...stages.filter((stage) => !isAdded(stage)),
    ...(page.offset > 0 ? [{ $skip: page.offset }] : []),
    { $limit: page.limit + 1 },
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
    data: recordsText(rows, page.shown, page.bytesMax),
    found: page.countOnly ? null : found.length,
    counted,
    ends: [endAt(rows[0]), endAt(rows.at(-1))],
    etag: rows[0] === undefined ? null : String(rows[0][versionName] ?? 0),
  }
}
