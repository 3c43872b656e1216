/** The table of a write, with everything that its plan needs. */
import { guestWriteOf, type RecordsPath, targetTable } from '../../catalog/find-table.ts'
import { followedKeys, holdingKeys } from '../../catalog/inbound-keys.ts'
import type { Catalog } from '../../catalog/load-catalog.ts'
import { mayLearnOf } from '../../catalog/scoped.ts'
import { providerUnavailable } from '../../datasources/errors.ts'
import { guestEdges } from '../../guests/edge-writer.ts'
import { guestWriter } from '../../guests/writer.ts'
import { type Reference, referencesOf } from '../../model/relationships.ts'
import type { Table } from '../../model/table.ts'
import type { GuestAction } from '../../model/written-fields.ts'
import type { InboundKey } from '../../providers/inbound-key.ts'
import { isInMongodb } from '../../providers/mongodb/capabilities.ts'
import type { RecordWriter } from '../../providers/provider.ts'
import { providers } from '../../providers/registry.ts'
import { type EdgeWriter, memberEdges } from '../../providers/writes/edges.ts'

/** The table of a write, with everything that its plan needs. */
export interface Target {
  catalog: Catalog
  /** The table with the fields that the caller may write. */
  table: Table
  /** The table as the caller reads it. */
  shown: Table
  /**
   * Writes records with the caller's rights: the provider, or for a guest the functions of the access rules.
   */
  writer: RecordWriter
  /** Writes edges with the caller's rights. */
  edges: EdgeWriter
  /** The foreign keys to tables with soft deletion. */
  references: readonly Reference[]
  /** Returns the keys that prevent a soft deletion. */
  inbound(): readonly InboundKey[]
  /** Whether the write is planned again, because it failed as it was planned first. */
  isSecond: boolean
}

/**
 * Returns the target for a dry run: its sequence gives out no numbers, because a rollback does not undo
 * the change of a sequence, and another database is told to roll back.
 */
export function asTrial(target: Target): Target {
  const { writer } = target
  const tried = (table: Table): Table => ({ ...table, triesNumbers: true })
  return {
    ...target,
    writer: {
      ...writer,
      insertRecords: (table, creation) => writer.insertRecords(tried(table), creation),
      updateRecords: (table, update) => writer.updateRecords(tried(table), update),
      upsertRecords: (table, upsert) => writer.upsertRecords(tried(table), upsert),
      deleteRecords: (table, deletion) => writer.deleteRecords(tried(table), deletion),
    },
  }
}

/**
 * Finds the table to write to. Throws if it is unknown, not materialized, or a reference; for a guest, if no
 * rule allows the action.
 */
export function targetOf(catalog: Catalog, path: RecordsPath, action: GuestAction): Target {
  const guests = guestWriteOf(catalog, path, action)
  const table = guests?.table ?? targetTable(catalog, path)
  const provider = providers.get(table.datasource.providerType)
  if (!provider) throw providerUnavailable(table.datasource.providerType, [...providers.keys()])
  return {
    catalog,
    table,
    shown: guests?.shown ?? table,
    writer: guests ? guestWriter(catalog.siteId, guests.shown) : provider,
    edges: guests ? guestEdges(catalog.siteId) : memberEdges,
    isSecond: false,
    inbound: () => (guests ? [] : (isInMongodb(table) ? followedKeys : holdingKeys)(catalog, table)),
    // A guest may only reference records that it may read. The access rules check this.
    references: guests
      ? []
      : checkedReferences(table, catalog).map((reference) => ({
          ...reference,
          isHidden: !mayLearnOf(catalog, reference.target.name),
        })),
  }
}

/**
 * Returns the references that a write checks before Postgres: those to tables with soft deletion. In MongoDB,
 * it is the write that checks all.
 */
const checkedReferences = (table: Table, { tables }: Pick<Catalog, 'tables'>): Reference[] =>
  referencesOf(table, tables).filter(({ target }) => target.softDelete || isInMongodb(table))
