/**
 * The relationships between the tables of an app, derived from their foreign keys: a graph, made once for
 * each catalog. Spec: Records, related paths and populate; R4, R5, R14.
 */
import { allows } from './access.ts'
import type { Field } from './field.ts'
import type { Table } from './table.ts'

/** A relationship as seen from the records of one table. */
export interface Relationship {
  /** The member of a record that holds the related records. */
  name: string
  /** The maximum number of related records that a record has. */
  to: 'one' | 'many'
  target: Table
  /** Fields of the record, each with the field of the target, or of the junction, that has the same value. */
  pairs: readonly Pair[]
  /** The junction table, with pairs of its fields and those of the target. */
  junction?: { table: Table; pairs: readonly Pair[] }
  /** The relationship for which this one is an alias. */
  aliasOf?: Relationship
  /** Why clients cannot follow it. Undefined: they can. */
  problem?: string | undefined
}

interface Pair {
  near: Field
  far: Field
}

/** The relationships of one table. */
export interface Relationships {
  /** By every name that a client can use, including aliases. */
  byName: ReadonlyMap<string, Relationship>
  all: readonly Relationship[]
}

/** The relationships of each materialized table of an app. */
export type RelationshipGraph = ReadonlyMap<Table, Relationships>

const noRelationships: Relationships = { byName: new Map(), all: [] }

/** Returns the relationships of a table; none if the graph does not have the table. */
export const relationshipsOf = (graph: RelationshipGraph, table: Table): Relationships =>
  graph.get(table) ?? noRelationships

/**
 * Returns the description of a relationship for clients. The referenced record may be missing, if the key has
 * no value or the record is soft-deleted; for guests also if a rule hides it (`hideable`).
 */
export const describeRelationship = ({ rules }: Table, { name, to, target, pairs }: Relationship) => ({
  name,
  to,
  table: target.name,
  nullable: to === 'one' && (target.softDelete !== undefined || pairs.some(({ near }) => !near.required)),
  ...(to === 'one' && rules.length > 0 && !isShownToAll(target) ? { hideable: true } : {}),
})

/** Tells whether a rule shows every record of a table to everybody. */
const isShownToAll = ({ rules }: Table): boolean =>
  rules.some((rule) => rule.who === 'anyone' && allows(rule, 'read') && rule.where === undefined)

/** A foreign key from a table to another, or to itself. */
interface Key {
  table: Table
  /** When the key was created, in seconds since 1970. Keys of one schema change have the same time. */
  since: number
  target: Table
  columns: readonly string[]
  pairs: readonly Pair[]
}

/** A foreign key as a write sees it: the target, and the fields that name one of its records. */
export type Reference = Pick<Key, 'target' | 'columns' | 'pairs'> & {
  /** Whether errors must not name the target. */
  isHidden?: boolean
  /** Whether the target is the table of the reference. */
  isToItself?: boolean
}

/** Returns the foreign keys of a table. */
export const referencesOf = (table: Table, tables: ReadonlyMap<string, Table>): Reference[] =>
  keysOf(table, tables).map((key) => ({ ...key, isToItself: key.target.id === table.id }))

/**
 * Returns the relationships between the materialized tables of an app. `tables` are all of its tables by
 * name. `problemOf` says why a relationship cannot be followed.
 */
export function relationshipGraph(
  tables: ReadonlyMap<string, Table>,
  problemOf: ProblemOf = () => undefined,
): RelationshipGraph {
  const materialized = [...tables.values()].filter((table) => table.isMaterialized)
  const keys = materialized.flatMap((table) => keysOf(table, tables))
  return new Map(materialized.map((table) => [table, relationshipsFrom(table, keys, problemOf)]))
}

/** Returns why a relationship cannot be followed; undefined if it can. */
type ProblemOf = (relationship: Omit<Relationship, 'name'>) => string | undefined

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

/** A relationship without a name yet, with the names it may get, the preferred one first. */
interface Unnamed extends Omit<Relationship, 'name'> {
  since: number
  names: readonly string[]
  /** The column whose name the relationship may take. */
  column?: string | undefined
}

/**
 * Names the relationships of a table. A later key never takes a name that is in use, so that existing queries
 * keep their meaning. Among keys of the same time, the order is: forward, reverse, through junctions. Names
 * of fields have precedence over all of them. R5.
 */
function relationshipsFrom(table: Table, keys: readonly Key[], problemOf: ProblemOf): Relationships {
  const byName = new Map<string, Relationship>()
  const isTaken = (name: string, column?: string) =>
    byName.has(name) || (table.fields.has(name) && name !== column)
  const kinds = [forward(table, keys), reverse(table, keys), throughJunctions(table, keys)].map(
    (unnamed) => ({ unnamed, all: [] as Relationship[] }),
  )
  for (const since of ages(kinds.flatMap(({ unnamed }) => unnamed))) {
    const aliases: [name: string, Relationship][] = []
    for (const { unnamed, all } of kinds) {
      const sameAge = unnamed.filter((one) => one.since === since)
      for (const [name, { names, since: _, column, ...rest }] of assignNames(sameAge, isTaken)) {
        const relationship = { name, ...rest, problem: problemOf(rest) }
        all.push(relationship)
        byName.set(name, relationship)
        if (column !== undefined) byName.set(column, relationship)
        aliases.push(
          ...names.map((alias): [string, Relationship] => [
            alias,
            { ...relationship, name: alias, aliasOf: relationship },
          ]),
        )
      }
    }
    for (const [alias, relationship] of aliases) if (!isTaken(alias)) byName.set(alias, relationship)
  }
  return { byName, all: kinds.flatMap(({ all }) => all) }
}

const ages = (all: readonly Unnamed[]): number[] =>
  [...new Set(all.map(({ since }) => since))].sort((a, b) => a - b)

/**
 * Gives each relationship the first of its names that is free. A name is not free if another relationship
 * wants it in the same round.
 */
function assignNames(
  all: readonly Unnamed[],
  isTaken: (name: string, column?: string) => boolean,
): [string, Unnamed][] {
  const result = new Map<string, Unnamed>()
  let open = all
  for (let choice = 0; open.length > 0; choice++) {
    const wanted = open.map(({ names }) => names[choice])
    const settled = new Map<string, Unnamed>()
    open = open.filter((relationship, index) => {
      const name = wanted[index]
      if (name === undefined) return false
      const isFree =
        !isTaken(name, relationship.column) &&
        !result.has(name) &&
        wanted.indexOf(name) === wanted.lastIndexOf(name)
      if (isFree) settled.set(name, relationship)
      return !isFree
    })
    for (const [name, relationship] of settled) result.set(name, relationship)
  }
  return [...result]
}

const withoutId = (column: string): string => column.replace(/(?<=.)_id$/, '')
const shortName = (columns: readonly string[]): string => columns.map(withoutId).join('_')

/**
 * Returns relationships that are named by the column without `_id`, or by the column itself, which they then
 * replace in records.
 */
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

/** Returns relationships that are named by the referencing table. */
function reverse(table: Table, keys: readonly Key[]): Unnamed[] {
  return keys
    .filter((key) => key.target === table)
    .map((key) => ({
      since: key.since,
      to: 'many',
      target: key.table,
      pairs: key.pairs.map(reversed),
      names: [key.table.name, `${key.table.name}_by_${shortName(key.columns)}`],
    }))
}

/**
 * Returns relationships that are named by the table on the other side of a junction. A junction is a table
 * with exactly two foreign keys.
 */
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
          pairs: near.pairs.map(reversed),
          junction: { table: near.table, pairs: far.pairs },
          names: [far.target.name, by, `${by}_${shortName(far.columns)}`],
        },
      ]
    })
}

const reversed = ({ near, far }: Pair): Pair => ({ near: far, far: near })
