/**
 * The part of the catalog that guests (callers without `access_site`, signed in or not) may see: the tables
 * with an access rule for them, and the fields that the rules allow.
 */
import type { RequestContext } from '../../kernel/context.ts'
import { type AppError, forbidden, unauthenticated } from '../../kernel/errors.ts'
import { IsolateCache } from '../../kernel/lib/isolate-cache.ts'
import { type Standing, standingText } from '../../kernel/standing.ts'
import { type AccessRule, allows, readingRules, shownBy, whoOf } from '../model/access.ts'
import { guestTable } from '../model/guest-table.ts'
import type { Relationship, RelationshipGraph, Relationships } from '../model/relationships.ts'
import type { Table } from '../model/table.ts'
import { nestingOf } from './guest-nesting.ts'
import { type GuestWrites, writesOf } from './guest-writes.ts'

/**
 * Returns the error for a guest whom no access rule allows the request: 401 without credentials, otherwise
 * 403. It is the same whether the app and the table exist or not.
 */
export const refuseGuest = ({ caller }: RequestContext): AppError =>
  caller ? forbidden() : unauthenticated()

/** The part of a catalog for a guest. */
export interface GuestView {
  /** The standing that statements are planned for. */
  standing: Standing
  /** Returns the error for a table on which no rule allows anything. */
  refusal(): AppError
}

/** Returns a cached value with the standing of the guest, for which statements are planned. */
export const withStanding = <Found extends object>(
  ctx: RequestContext,
  found: Found,
  standing: Standing,
): Found & GuestView => ({ ...found, standing, refusal: () => refuseGuest(ctx) })

/** The parts of a catalog that differ between guests: access rules show each the tables and fields of their own. */
interface Seen {
  siteId: number
  tables: ReadonlyMap<string, Table>
  relationships: RelationshipGraph
}

interface SeenParts extends Pick<Seen, 'tables' | 'relationships'> {
  /** What the guest may write, by the names of tables. */
  writes: ReadonlyMap<string, GuestWrites>
  /** The relationships by which the guest can send new records inside new records. */
  nesting: RelationshipGraph
}

/** A guest's part of a catalog, and about how many bytes it takes. */
interface Kept {
  parts: SeenParts
  bytes: number
  /** The keys of all parts of its catalog. */
  keys: Set<string>
}

/** A part takes about so many times as many bytes as the schemas of its tables have characters. */
const bytesPerCharacter = 18
/** By catalog and standing, so that requests share the same objects. */
const parts = new IsolateCache<Kept>('guest_catalogs', {
  bytesOf: ({ bytes }) => bytes,
  onRemove: ({ keys }, key) => keys.delete(key),
})

/** The catalogs whose parts are kept: those that the isolate keeps, too. */
const keptOf = new WeakMap<Seen, { number: number; keys: Set<string> }>()
let lastNumber = 0

/** Keeps the guests' parts of a catalog from now on, until `forgetGuestCatalogs`. */
export const keepGuestCatalogs = (catalog: Seen): void =>
  void keptOf.set(catalog, { number: ++lastNumber, keys: new Set() })

/** Removes the guests' parts of a catalog, because they share objects with it. */
export function forgetGuestCatalogs(catalog: Seen): void {
  for (const key of keptOf.get(catalog)?.keys ?? []) parts.delete(key)
  keptOf.delete(catalog)
}

/** Returns the catalog to plan a guest's reads and writes with. */
export function guestCatalog<Catalog extends Seen>(
  catalog: Catalog,
  standing: Standing,
): Catalog & SeenParts {
  return { ...catalog, ...partsOf(catalog, standing), dependents: [], away: new Map() }
}

function partsOf(catalog: Seen, standing: Standing): SeenParts {
  const kept = keptOf.get(catalog)
  if (!kept) return partsFor(catalog, standing)
  const key = `${kept.number} ${standingText(standing)}`
  const known = parts.get(key)
  if (known) return known.parts
  const made = partsFor(catalog, standing)
  const isKept = parts.set(
    key,
    { parts: made, bytes: bytesOf(made), keys: kept.keys },
    String(catalog.siteId),
  )
  if (isKept) kept.keys.add(key)
  return made
}

/** Returns about how many bytes a part takes: one table may be compiled for reading and for each action. */
function bytesOf({ tables, writes }: SeenParts): number {
  const read = [...tables.values()].flatMap((table) => [table, table.guestVersions ?? table])
  const written = [...writes.values()].flatMap((actions) =>
    Object.values(actions).flatMap(({ table, shown }) => [table, shown]),
  )
  const compiled = [...new Set([...read, ...written])]
  return bytesPerCharacter * compiled.reduce((sum, { schema }) => sum + JSON.stringify(schema).length, 0)
}

function partsFor({ siteId, tables, relationships }: Seen, standing: Standing): SeenParts {
  const seen = new Map<Table, Table>()
  const writes = new Map<string, GuestWrites>()
  for (const table of tables.values()) {
    if (!table.isMaterialized || table.source) continue
    const guests = seenBy(siteId, table, standing)
    if (guests) seen.set(table, guests)
    const rules = table.rules.filter((rule) => isFor(rule, standing))
    writes.set(table.name, writesOf(siteId, table, rules, guests))
  }
  return {
    tables: new Map([...seen.values()].map((table) => [table.name, table])),
    relationships: seenRelationships(relationships, seen),
    writes,
    nesting: nestingOf(relationships, { seen, writes }),
  }
}

/** Returns the table with the fields that the rules for a caller allow; undefined if no rule applies. */
function seenBy(siteId: number, table: Table, standing: Standing): Table | undefined {
  const all = readingRules(table.rules)
  const mine = all.filter(({ rule }) => isFor(rule, standing))
  const [first] = mine
  if (first === undefined) return undefined
  const giving = mine.filter(({ rule }) => allows(rule, 'history'))
  const isAlone = mine.length === 1 && all.length > 1
  return guestTable(siteId, table, {
    names: namesGiven(table, mine),
    always: namesAlwaysGiven(table, mine),
    position: isAlone ? first.position : undefined,
    ofVersions: giving.length > 0 ? namesGiven(table, giving) : undefined,
  })
}

const namesGiven = ({ fields }: Table, rules: readonly { rule: AccessRule }[]): ReadonlySet<string> =>
  new Set(rules.flatMap(({ rule }) => shownBy(rule) ?? [...fields.keys()]))

/** Returns the names of the fields that each of the rules gives, with those of the primary key. */
const namesAlwaysGiven = (table: Table, rules: readonly { rule: AccessRule }[]): ReadonlySet<string> =>
  new Set([
    ...table.primaryKey.map(({ name }) => name),
    ...[...table.fields.keys()].filter((name) =>
      rules.every(({ rule }) => shownBy(rule)?.includes(name) ?? true),
    ),
  ])

/** Tells whether a rule is for callers of a standing. */
export function isFor(rule: AccessRule, { signedIn, user, groups, permissions, roles }: Standing): boolean {
  const who = whoOf(rule)
  switch (who.kind) {
    case 'anyone':
      return true
    case 'signed-in':
      return signedIn
    case 'user':
      return user
    case 'group':
      return groups.includes(who.name)
    case 'permission':
      return permissions.includes(who.name)
    case 'role':
      return roles.includes(who.name)
  }
}

/**
 * Returns the relationships whose tables and fields the guest may read, under the names that they have for
 * members.
 */
function seenRelationships(graph: RelationshipGraph, seen: ReadonlyMap<Table, Table>): RelationshipGraph {
  const copies = new Map<Relationship, Relationship | undefined>()
  const copyOf = (near: Table, one: Relationship): Relationship | undefined => {
    if (!copies.has(one)) copies.set(one, seenRelationship(near, one, seen))
    return copies.get(one)
  }
  return new Map(
    [...seen].map(([table, guests]): [Table, Relationships] => {
      const { byName, all } = graph.get(table) ?? { byName: new Map(), all: [] }
      const named = [...byName].flatMap(([name, one]): [string, Relationship][] => {
        const copy = copyOf(guests, one.aliasOf ?? one)
        if (!copy) return []
        return [[name, one.aliasOf ? { ...copy, name: one.name, aliasOf: copy } : copy]]
      })
      return [guests, { byName: new Map(named), all: all.flatMap((one) => copyOf(guests, one) ?? []) }]
    }),
  )
}

/**
 * Returns a relationship between tables as the guest sees them; undefined if a table or a field is hidden.
 */
function seenRelationship(
  near: Table,
  relationship: Relationship,
  seen: ReadonlyMap<Table, Table>,
): Relationship | undefined {
  const { target, pairs, junction, ...rest } = relationship
  const seenTarget = seen.get(target)
  const via = junction && seen.get(junction.table)
  if (!seenTarget || (junction && !via)) return undefined
  const seenPairs = pairsOf(pairs, near, via ?? seenTarget)
  const viaPairs = junction && via && pairsOf(junction.pairs, via, seenTarget)
  if (!seenPairs || (junction && !viaPairs)) return undefined
  return {
    ...rest,
    target: seenTarget,
    pairs: seenPairs,
    ...(via && viaPairs ? { junction: { table: via, pairs: viaPairs } } : {}),
  }
}

type Pairs = Relationship['pairs']

/** Returns the same pairs of fields in tables as the guest sees them; undefined if a field is hidden. */
function pairsOf(pairs: Pairs, near: Table, far: Table): Pairs | undefined {
  const found = pairs.flatMap((pair) => {
    const [one, other] = [near.fields.get(pair.near.name), far.fields.get(pair.far.name)]
    return one && other ? [{ near: one, far: other }] : []
  })
  return found.length === pairs.length ? found : undefined
}
