/** The data from which the functions of guests are generated. */
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import type { RecordEvent, SubscribedEvents } from '../../../runtime/events/records/service.ts'
import { readingRules, shownBy } from '../../model/access.ts'
import type { Field } from '../../model/field.ts'
import { guestPlace, guestTable } from '../../model/guest-table.ts'
import type { Table } from '../../model/table.ts'
import type { InboundKey } from '../../providers/inbound-key.ts'
import { row } from '../../query/row.ts'
import { anyPasses, grantsOf } from '../grants.ts'
import type { PlannedRule } from '../planned-rules.ts'

/** A table to which rules allow guests to write. */
export interface WriteTarget {
  siteId: number
  /** The table. It announces all events, and Postgres finds the functions that subscribe to them. */
  table: Table
  rules: readonly PlannedRule[]
  /** The table as guests see it when all rules apply. Undefined if no rule shows it. */
  shown: Table | undefined
  /** The condition that the caller may read the row `_row`. */
  isReadable: Sql
  references: readonly GuestReference[]
  /** The keys of the app's tables that prevent a soft deletion. */
  inbound: readonly InboundKey[]
}

/** A foreign key of a table to which guests write. */
export interface GuestReference {
  fields: readonly Field[]
  /**
   * The view of the referenced records that the caller may read, and the columns that are referenced.
   * Undefined: no rule shows them.
   */
  seen: { view: Sql; columns: readonly Sql[] } | undefined
}

/** The app of a table, with its site. */
export interface AppPlace {
  siteId: number
  app: { id: number; slug: string }
}

/**
 * Returns the target of the functions of a table. `tables` are the tables of its app that have rules, by
 * name.
 */
export function writeTarget(
  { siteId, app }: AppPlace,
  table: Table,
  rules: readonly PlannedRule[],
  tables: ReadonlyMap<string, Table>,
  inbound: readonly InboundKey[],
): WriteTarget {
  const grants = grantsOf(rules)
  const names = new Set(grants.flatMap(({ shown }) => [...shown].map(({ name }) => name)))
  return {
    siteId,
    table: { ...table, announced: announcedLater(app, table) },
    rules,
    shown: grants.length > 0 ? guestTable(siteId, table, { names }) : undefined,
    inbound,
    isReadable: sql`(${anyPasses(grants, [row])})`,
    references: (table.schema.foreignKeys ?? []).map(({ fields, reference }) => {
      const target = tables.get(reference.resource || table.name)
      return {
        fields: fieldsOf(table, fields),
        seen: target && seenTarget(siteId, target, reference.fields),
      }
    }),
  }
}

/**
 * Announces all events. A new table has no id yet when its functions are made, so Postgres looks it up when a
 * guest writes.
 */
const announcedLater = ({ id, slug }: AppPlace['app'], { name }: Table): SubscribedEvents => ({
  app: { id, slug },
  events: new Set(recordEvents),
  tableId: sql`(select d.id from _datatables d where d.app_id = ${id} and d.name = ${name})`,
})

const recordEvents: readonly RecordEvent[] = ['RECORD_CREATE', 'RECORD_UPDATE', 'RECORD_DELETE']

const fieldsOf = ({ fields }: Table, names: readonly string[]): Field[] =>
  names.flatMap((name) => fields.get(name) ?? [])

function seenTarget(siteId: number, target: Table, names: readonly string[]): GuestReference['seen'] {
  const reading = readingRules(target.rules)
  const isShown = (name: string) => reading.some(({ rule }) => shownBy(rule)?.includes(name) ?? true)
  if (reading.length === 0 || !names.every(isShown)) return undefined
  const { relation } = guestPlace(siteId, target.physicalName, 'all')
  return { view: relation, columns: fieldsOf(target, names).map(({ column }) => column) }
}
