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
  target: Table
  columns: readonly string[]
  pairs: readonly Pair[]
}

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
    return pairs.length === fields.length ? [{ table, target, columns: fields, pairs }] : []
  })
}

/** A relationship that has no name yet: those it may get, the best one first. */
interface Unnamed extends Omit<Relationship, 'name'> {
  names: readonly string[]
  /** The column whose place it may take. */
  column?: string | undefined
}

function relationshipsFrom(table: Table, keys: readonly Key[]): Relationships {
  const byName = new Map<string, Relationship>()
  const all: Relationship[] = []
  // What stands first in this list keeps its name: a field, what it references, what references it, what is beyond that.
  for (const unnamed of [forward(table, keys), reverse(table, keys), throughJunctions(table, keys)]) {
    const isTaken = (name: string, column?: string) => byName.has(name) || (table.fields.has(name) && name !== column)
    for (const [name, { names: _, column, ...rest }] of named(unnamed, isTaken)) {
      const relationship = { name, ...rest }
      all.push(relationship)
      byName.set(name, relationship)
      if (column !== undefined) byName.set(column, relationship)
    }
  }
  return { byName, all }
}

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
    .map(({ target, columns, pairs }) => ({
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
