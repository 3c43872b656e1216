/**
 * What the tables of an app have to do with each other, by the foreign keys they declare: a graph, made once for each
 * catalog. Spec: Records, related paths and populate; R4, R5, R14.
 */
import type { Field, Table } from '../datatables/table.ts'

export interface Relationship {
  /** Under which its records stand in a record. */
  name: string
  /** How many records of the target a record has at most. */
  to: 'one' | 'many'
  target: Table
  /** Fields of the record, each with the one of the target, or of the junction, that has the same value. */
  pairs: readonly Pair[]
  /** The table between the two, and its fields with those of the target. */
  junction?: { table: Table; pairs: readonly Pair[] }
  /** Under another name: the relationship that it is. */
  same?: Relationship
}

interface Pair {
  near: Field
  far: Field
}

export interface Relationships {
  /** Under every name that clients may write. */
  byName: ReadonlyMap<string, Relationship>
  all: readonly Relationship[]
}

export type RelationshipGraph = ReadonlyMap<Table, Relationships>

const none: Relationships = { byName: new Map(), all: [] }
export const relationshipsOf = (graph: RelationshipGraph, table: Table): Relationships => graph.get(table) ?? none

/** A foreign key from a table to another, or to itself. */
interface Key {
  table: Table
  /** When it came, in seconds; those of one change of schemas came at once. */
  since: number
  target: Table
  columns: readonly string[]
  pairs: readonly Pair[]
}

/** A foreign key as it is written: which record of the target it means. */
export type Reference = Pick<Key, 'target' | 'columns' | 'pairs'>

/** The foreign keys of a table to tables whose records can be soft-deleted. */
export const softReferences = (table: Table, tables: ReadonlyMap<string, Table>): Reference[] =>
  keysOf(table, tables).filter(({ target }) => target.softDelete)

/** Of the materialized tables of an app, by name. */
export function relationshipGraph(tables: ReadonlyMap<string, Table>): RelationshipGraph {
  const materialized = [...tables.values()].filter((table) => table.isMaterialized)
  const keys = materialized.flatMap((table) => keysOf(table, tables))
  return new Map(materialized.map((table) => [table, relationshipsFrom(table, keys)]))
}

function keysOf(table: Table, tables: ReadonlyMap<string, Table>): Key[] {
  return (table.schema.foreignKeys ?? []).flatMap(({ fields, reference }) => {
    const target = reference.resource === '' ? table : tables.get(reference.resource)
    if (!target?.isMaterialized) return []
    const pairs = fields.flatMap((name, position): Pair[] => {
      const near = table.fields.get(name)
      const far = target.fields.get(reference.fields[position] ?? '')
      return near && far && near.type === far.type ? [{ near, far }] : []
    })
    const since = table.keysSince.get(fields.join()) ?? 0
    return pairs.length === fields.length ? [{ table, since, target, columns: fields, pairs }] : []
  })
}

/** A relationship that has no name yet: those it may get, the best one first. */
interface Unnamed extends Omit<Relationship, 'name'> {
  since: number
  names: readonly string[]
  /** The column whose place it may take. */
  column?: string | undefined
}

/**
 * Whoever comes later takes no name from those that are there, so that what was written with a name goes on meaning the
 * same. Of what comes at once, this comes first: a field, what it references, what references it, what is beyond that. R5.
 */
function relationshipsFrom(table: Table, keys: readonly Key[]): Relationships {
  const byName = new Map<string, Relationship>()
  const isTaken = (name: string, column?: string) => byName.has(name) || (table.fields.has(name) && name !== column)
  const kinds = [forward(table, keys), reverse(table, keys), throughJunctions(table, keys)].map((unnamed) => ({ unnamed, all: [] as Relationship[] }))
  for (const since of ages(kinds.flatMap(({ unnamed }) => unnamed))) {
    const aliases: [name: string, Relationship][] = []
    for (const { unnamed, all } of kinds) {
      const now = unnamed.filter((one) => one.since === since)
      for (const [name, { names, since: _, column, ...rest }] of named(now, isTaken)) {
        const relationship = { name, ...rest }
        all.push(relationship)
        byName.set(name, relationship)
        if (column !== undefined) byName.set(column, relationship)
        aliases.push(...names.map((alias): [string, Relationship] => [alias, { ...relationship, name: alias, same: relationship }]))
      }
    }
    for (const [alias, relationship] of aliases) if (!isTaken(alias)) byName.set(alias, relationship)
  }
  return { byName, all: kinds.flatMap(({ all }) => all) }
}

const ages = (all: readonly Unnamed[]): number[] => [...new Set(all.map(({ since }) => since))].sort((a, b) => a - b)

/** Each gets the first of its names that is neither taken nor wanted by another of them at the same time. */
function named(all: readonly Unnamed[], isTaken: (name: string, column?: string) => boolean): [string, Unnamed][] {
  const result = new Map<string, Unnamed>()
  let open = all
  for (let choice = 0; open.length > 0; choice++) {
    const wanted = open.map(({ names }) => names[choice])
    const settled = new Map<string, Unnamed>()
    open = open.filter((relationship, index) => {
      const name = wanted[index]
      if (name === undefined) return false
      const isFree = !isTaken(name, relationship.column) && !result.has(name) && wanted.indexOf(name) === wanted.lastIndexOf(name)
      if (isFree) settled.set(name, relationship)
      return !isFree
    })
    for (const [name, relationship] of settled) result.set(name, relationship)
  }
  return [...result]
}

const withoutId = (column: string): string => column.replace(/(?<=.)_id$/, '')
const shortName = (columns: readonly string[]): string => columns.map(withoutId).join('_')

/** By the column without `_id`; where something else has that name, by the column itself, whose place it takes. */
function forward(table: Table, keys: readonly Key[]): Unnamed[] {
  return keys
    .filter((key) => key.table === table)
    .map(({ since, target, columns, pairs }) => ({
      since,
      to: 'one',
      target,
      pairs,
      names: [shortName(columns), columns.join('_')],
      column: columns.length === 1 ? columns[0] : undefined,
    }))
}

/** By the name of the referencing table. */
function reverse(table: Table, keys: readonly Key[]): Unnamed[] {
  return keys
    .filter((key) => key.target === table)
    .map((key) => ({
      since: key.since,
      to: 'many',
      target: key.table,
      pairs: key.pairs.map(turned),
      names: [key.table.name, `${key.table.name}_by_${shortName(key.columns)}`],
    }))
}

/** By the name of the table beyond a junction, which is a table with exactly two foreign keys. */
function throughJunctions(table: Table, keys: readonly Key[]): Unnamed[] {
  return keys
    .filter((key) => key.target === table)
    .flatMap((near): Unnamed[] => {
      const [far, ...more] = keys.filter((key) => key.table === near.table && key !== near)
      if (!far || more.length > 0) return []
      const by = `${far.target.name}_by_${near.table.name}`
      return [
        {
          since: Math.max(near.since, far.since),
          to: 'many',
          target: far.target,
          pairs: near.pairs.map(turned),
          junction: { table: near.table, pairs: far.pairs },
          names: [far.target.name, by, `${by}_${shortName(far.columns)}`],
        },
      ]
    })
}

const turned = ({ near, far }: Pair): Pair => ({ near: far, far: near })
