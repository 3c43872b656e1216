/** Reads records that have related records inside them, as creations in a possible order. */
import type { Catalog } from '../../catalog/load-catalog.ts'
import { requireScopes } from '../../catalog/scoped.ts'
import type { JsonRecord } from '../../failures/body.ts'
import { tooManyNested } from '../../failures/errors.ts'
import { isOperation } from '../../model/arithmetic.ts'
import type { Field } from '../../model/field.ts'
import { type Relationship, relationshipsOf } from '../../model/relationships.ts'
import type { Table } from '../../model/table.ts'
import { isObject, operationsMax } from './operations.ts'
import { notAnObject } from './validate.ts'

/** How deep related records can be nested in a record. */
const levelsMax = 3

/** A record to create, and its place in the body. */
export interface NewRecord {
  table: Table
  /** Its values. The values that it takes from other records are references. */
  data: JsonRecord
  /** The position in the body of the record that contains it; of the record itself, if none contains it. */
  root: number
  /** Its place inside that record: `lines[3].maker`. Empty: it is that record. */
  place: string
  /** The name by which other records refer to it; undefined if none does. */
  as: string | undefined
  /** Problems of the record, by the name of a member. */
  problems: readonly { field: string; message: string }[]
}

/** The records of a body. */
export interface NestedRecords {
  /** In the order of creation: each record after those that it references. */
  records: readonly NewRecord[]
  /** The references to other records. */
  references: ReadonlySet<object>
}

/** A record while it is read. */
interface Draft extends Omit<NewRecord, 'data'> {
  values: Map<string, unknown>
  problems: { field: string; message: string }[]
  /** The names of the relationships that lead to it. `level` is their number. */
  path: string
  level: number
  /** Records of a lower rank are created earlier. */
  rank: number
}

interface CreationTarget {
  catalog: Catalog
  table: Table
}

/** Tells whether any record has a member that contains related records. */
export const hasRelated = ({ catalog, table }: CreationTarget, records: readonly unknown[]): boolean =>
  relationshipsOf(catalog.nesting, table).byName.size > 0 &&
  records.some(
    (record) =>
      isObject(record) &&
      Object.keys(record).some((name) => relatedBy(catalog, table, name, record[name]) !== undefined),
  )

/**
 * Returns the relationship of a member that contains related records; undefined if the member is a value. The
 * column of a foreign key can contain an object instead of a value.
 */
function relatedBy(
  { nesting }: Catalog,
  table: Table,
  name: string,
  value: unknown,
): Relationship | undefined {
  const field = table.fields.get(name)
  const canBe = !field || (field.type.comparable && isObject(value) && !isOperation(field, value))
  return canBe ? relationshipsOf(nesting, table).byName.get(name) : undefined
}

/**
 * Reads the records of a body, whose numbers are as they were sent. Throws 403 if the request's API key may
 * not create a related record, and 413 for too many records.
 */
export function readNested(
  { catalog, table }: CreationTarget,
  records: readonly JsonRecord[],
): NestedRecords {
  const drafts: Draft[] = []
  const references = new Set<object>()

  /** Returns the value of a record's member, or a reference to the nested record in its place. */
  function referenceTo(draft: Draft, field: Field): object {
    draft.as ??= `r${references.size}`
    const reference = { $: `${draft.as}.${field.name}` }
    references.add(reference)
    return reference
  }

  type Place = Pick<Draft, 'table' | 'root' | 'place' | 'path' | 'level' | 'rank'>

  /** Adds a record. `given` are the values that it takes from the record that contains it. */
  function add(record: JsonRecord, place: Place, given: readonly [string, unknown][] = []): Draft {
    if (drafts.length === operationsMax) throw tooManyNested(operationsMax)
    const draft: Draft = { ...place, values: new Map(given), as: undefined, problems: [] }
    drafts.push(draft)
    const related: [name: string, value: unknown, relationship: Relationship][] = []
    for (const [name, value] of Object.entries(record)) {
      const relationship = relatedBy(catalog, draft.table, name, value)
      if (relationship) related.push([name, value, relationship])
      else if (draft.values.has(name)) draft.problems.push({ field: name, message: givenAlready })
      else draft.values.set(name, value)
    }
    for (const [name, value, relationship] of related) addRelated(draft, name, value, relationship)
    return draft
  }

  /** Adds the related records of a member. */
  function addRelated(draft: Draft, name: string, value: unknown, relationship: Relationship): void {
    const { target, to } = relationship
    requireScopes(catalog, target.name)
    const problem = problemOf(catalog, draft, value, relationship)
    if (problem !== undefined) {
      draft.problems.push({ field: name, message: problem })
      return
    }
    const inside = {
      table: target,
      root: draft.root,
      place: within(draft.place, name),
      path: within(draft.path, name),
      level: draft.level + 1,
    }
    if (to === 'one') addOne(draft, value, relationship, { ...inside, rank: draft.rank - 1 })
    else addMany(draft, name, value as unknown[], relationship, { ...inside, rank: draft.rank + 1 })
  }

  /** Adds a record that the containing record references. */
  function addOne(draft: Draft, value: unknown, { pairs }: Relationship, inside: Place): void {
    const one = isObject(value) ? add(value, inside) : undefined
    for (const { near, far } of pairs) draft.values.set(near.name, one ? referenceTo(one, far) : null)
  }

  /** Adds records that reference the containing record. */
  function addMany(
    draft: Draft,
    name: string,
    values: readonly unknown[],
    { pairs }: Relationship,
    inside: Place,
  ): void {
    for (const [index, value] of values.entries()) {
      const place = `${inside.place}[${index}]`
      const given = pairs.map(({ near, far }): [string, unknown] => [far.name, referenceTo(draft, near)])
      if (isObject(value)) add(value, { ...inside, place }, given)
      else draft.problems.push({ field: `${name}[${index}]`, message: notAnObject })
    }
  }

  records.forEach((record, root) => {
    add(record, { table, root, place: '', path: '', level: 0, rank: 0 })
  })
  return { records: inOrder(drafts), references }
}

const within = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`)

const givenAlready = 'The surrounding record provides this value. Omit it.'

/** Returns why a member cannot contain records of a relationship; undefined if it can. */
function problemOf(
  catalog: Catalog,
  { table, level, values }: Draft,
  value: unknown,
  relationship: Relationship,
): string | undefined {
  const { to, pairs, junction } = relationship
  if (level === levelsMax)
    return `Related records can be ${levelsMax} levels deep. Create these in a request of their own.`
  if (junction) return junctionMessage(catalog, table, relationship)
  if (to === 'many') return Array.isArray(value) ? undefined : 'Must be an array of new records.'
  const sent = pairs.find(({ near }) => values.has(near.name))
  if (sent) return `"${sent.near.name}" has a value already. Leave one of the two out.`
  return value === null || isObject(value) ? undefined : 'Must be a new record.'
}

/** Returns the message that explains how to create records on the other side of a junction table. */
function junctionMessage({ nesting }: Catalog, table: Table, { junction }: Relationship): string {
  const all = relationshipsOf(nesting, table).all
  const near = all.find(({ target, to }) => target === junction?.table && to === 'many')
  const beyond = relationshipsOf(nesting, junction?.table as Table).all
  const far = beyond.find(({ to, pairs }) => to === 'one' && pairs[0]?.near === junction?.pairs[0]?.near)
  return `A table stands between. Send its records: "${near?.name}": [{"${far?.name}": {…}}].`
}

/**
 * Returns the records by rank. Records with the same path follow each other, because one statement creates
 * them.
 */
function inOrder(drafts: readonly Draft[]): NewRecord[] {
  const paths = [...new Set(drafts.map(({ path }) => path))]
  const placed = drafts.map((draft) => ({ draft, path: paths.indexOf(draft.path) }))
  placed.sort((a, b) => a.draft.rank - b.draft.rank || a.path - b.path)
  return placed.map(({ draft: { table, values, root, place, as, problems } }) => ({
    table,
    data: Object.fromEntries(values),
    root,
    place,
    as,
    problems,
  }))
}
