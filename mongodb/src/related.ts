/**
 * Looks up records of other collections: for filters, and to show them. What is looked up stands in members
 * of the documents that no field can have as its name.
 */
import type { Document } from 'mongodb'
import type {
  PairForm,
  PopulateForm,
  PredicateForm,
  RelatedForm,
  ShownForm,
} from '../../src/data/providers/mongodb/read-forms.ts'
import { relatedMax } from '../../src/data/query/parse/view.ts'
import { withMisfits } from './misfits.ts'
import { renderPredicate } from './render-predicate.ts'
import { sorting } from './sorting.ts'
import { recordText } from './values.ts'

/** Tells whether a filter needs related records. */
function isRelated(predicate: PredicateForm): boolean {
  if (predicate.is === 'and' || predicate.is === 'or') return predicate.of.some(isRelated)
  return predicate.is === 'not' ? isRelated(predicate.of) : predicate.is === 'related'
}

/**
 * Returns the stages of a filter: first the conditions on the records themselves, so that related records are
 * looked up for the rest alone.
 */
export function filterStages(predicate: PredicateForm): Document[] {
  if (!isRelated(predicate)) return [{ $match: renderPredicate(predicate) }]
  const parts = predicate.is === 'and' ? predicate.of : [predicate]
  const own = parts.filter((part) => !isRelated(part))
  const lookups: Document[] = []
  const match = renderPredicate({ is: 'and', of: parts.filter(isRelated) }, (related) => {
    const name = `_r${lookups.length}`
    lookups.push(lookup(related, name, [{ $limit: 1 }, { $project: { _id: 1 } }]))
    return name
  })
  return [
    ...(own.length > 0 ? [{ $match: renderPredicate({ is: 'and', of: own }) }] : []),
    ...lookups,
    { $match: match },
  ]
}

const namesOf = (pairs: readonly PairForm[]): string[] => pairs.map((_, place) => `n${place}`)

/** Returns the variables of a lookup, and the stage that finds the documents with their values. */
function joined(pairs: readonly PairForm[], nearOf: (pair: PairForm, place: number) => string) {
  const names = namesOf(pairs)
  const equal = pairs.flatMap(({ far }, place) => [
    { $gt: [`$$${names[place]}`, null] },
    { $eq: [`$${far}`, `$$${names[place]}`] },
  ])
  return {
    let: Object.fromEntries(pairs.map((pair, place) => [names[place], nearOf(pair, place)])),
    match: { $match: { $expr: { $and: equal } } },
  }
}

/** Returns the stage that looks up related records, and does `then` with them. */
export function lookup(
  { from, pairs, via, where }: RelatedForm,
  as: string,
  then: readonly Document[],
): Document {
  const near = joined(pairs, (pair) => `$${pair.near}`)
  const own = filterStages(where)
  if (!via) return { $lookup: { from, let: near.let, pipeline: [near.match, ...own, ...then], as } }
  const link = joined(via.pairs, (_, place) => `$_id.${namesOf(via.pairs)[place]}`)
  // A record counts once, even if several others join the two.
  const links = Object.fromEntries(
    via.pairs.map((pair, place) => [namesOf(via.pairs)[place], `$${pair.near}`]),
  )
  const pipeline = [
    near.match,
    ...filterStages(via.where),
    { $group: { _id: links } },
    { $lookup: { from, let: link.let, pipeline: [link.match, ...own], as: 'far' } },
    { $unwind: '$far' },
    { $replaceRoot: { newRoot: '$far' } },
    ...then,
  ]
  return { $lookup: { from: via.from, let: near.let, pipeline, as } }
}

const itemsName = (place: number): string => `_p${place}`
const countName = (place: number): string => `_q${place}`

/** Tells whether the number of all related records may have to be told. */
const isCounted = ({ to, limit, isCounted: isAsked }: PopulateForm): boolean =>
  isAsked || (to === 'many' && limit === null)

/** Returns the stages that look up the related records that documents show. */
export const populateStages = ({ populate = [] }: ShownForm): Document[] =>
  populate.flatMap((one, place) => {
    const range = [
      ...sorting(one.order).stages,
      ...(one.offset > 0 ? [{ $skip: one.offset }] : []),
      { $limit: Math.max(1, one.limit ?? relatedMax) },
    ]
    return [
      lookup(one.related, itemsName(place), [
        ...range,
        ...populateStages(one),
        keepMembers(shownMembers(one)),
      ]),
      ...(isCounted(one)
        ? [lookup(one.related, countName(place), [{ $group: { _id: null, n: { $sum: 1 } } }])]
        : []),
    ]
  })

/** The members of a document that are shown, with those that `populateStages` adds. */
export const shownMembers = ({ shown, populate = [] }: ShownForm): string[] => [
  ...membersOf(shown.map(({ path }) => path)),
  ...populate.flatMap((_, place) => [itemsName(place), countName(place)]),
]

/** Returns the members of a document that have the values at some paths. */
export const membersOf = (paths: readonly string[]): string[] => [
  ...new Set(paths.map((path) => (path.startsWith('_id') ? '_id' : path))),
]

/**
 * Returns the stage that leaves documents only these members, so that the others are neither kept nor sent.
 */
export const keepMembers = (names: readonly string[]): Document => ({
  $project: { _id: 1, ...Object.fromEntries(names.map((name) => [name, 1])) },
})

/**
 * Writes a document with its related records as the text of JSON. A related record takes the place of the
 * field that has its name.
 */
export function shownText(document: Document, form: ShownForm): string {
  const { shown, populate = [] } = form
  if (form.tellsMisfits) return withMisfits(document, shown)
  if (populate.length === 0) return recordText(document, shown)
  const texts = new Map(populate.map((one, place) => [one.name, populatedText(document, one, place)]))
  const members = shown.map((field) => {
    const text = texts.get(field.name)
    texts.delete(field.name)
    return text === undefined ? recordText(document, [field]).slice(1, -1) : member(field.name, text)
  })
  const counts = populate.flatMap((one, place) =>
    one.isCounted ? [member(one.name, String(countOf(document, place)))] : [],
  )
  const cut = populate.flatMap((one, place) => {
    const all = countOf(document, place)
    const isCut = one.to === 'many' && one.limit === null && all > relatedMax + one.offset
    return isCut ? [member(one.name, String(all))] : []
  })
  const others = [...texts].map(([name, text]) => member(name, text))
  return `{${[
    ...members,
    ...others,
    ...(counts.length > 0 ? [`"_count":{${counts.join(',')}}`] : []),
    ...(cut.length > 0 ? [`"_more":{${cut.join(',')}}`] : []),
  ].join(',')}}`
}

const member = (name: string, text: string): string => `${JSON.stringify(name)}:${text}`

const countOf = (document: Document, place: number): number => Number(document[countName(place)]?.[0]?.n ?? 0)

function populatedText(document: Document, form: PopulateForm, place: number): string {
  const items: Document[] = document[itemsName(place)] ?? []
  if (form.to === 'many')
    return form.limit === 0 ? '[]' : `[${items.map((one) => shownText(one, form)).join(',')}]`
  return items[0] ? shownText(items[0], form) : 'null'
}
