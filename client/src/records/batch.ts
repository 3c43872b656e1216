/**
 * Batches: writes to several tables of an app, all of them or none.
 * docs/guide/writes.md#batches-several-tables-at-once.
 */
import type { Transport } from '../connection/transport.ts'
import type { FieldOf, KeyOf, Table, TableOf } from '../types/schema.ts'
import type { NewEdge } from './graph.ts'
import type { AnyKey } from './keys.ts'
import type { Changes, WriteOptions } from './writes.ts'

declare const of: unique symbol
/** A placeholder for a value of a record that an earlier operation writes. */
interface ValueOf<Value> {
  readonly $: string
  [of]?: Value
}

declare const result: unique symbol
/** An operation. Later operations can use its fields in their data. */
type Handle<Item> = (Item extends object
  ? { readonly [Field in keyof Item]: ValueOf<Item[Field]> }
  : unknown) & {
  readonly [result]: Item
}

/** Data that may contain values of earlier operations. */
type WithValues<Data> = { readonly [Field in keyof Data]: Data[Field] | ValueOf<Data[Field] & {}> }
type Key<T extends Table> = KeyOf<T> | ValueOf<KeyOf<T>>

/** The operations on a table. */
interface BatchTable<T extends Table> {
  create(data: WithValues<T['create']>): Handle<T['record']>
  update(
    key: Key<T>,
    data: WithValues<Changes<T>>,
    options?: { ifMatch?: string | undefined; includeDeleted?: boolean | undefined },
  ): Handle<T['record']>
  upsert(
    data: WithValues<Partial<T['create']>>,
    options: { uniqueFields: readonly FieldOf<T>[]; includeDeleted?: boolean | undefined },
  ): Handle<T['record']>
  delete(key: Key<T>, options?: { ifMatch?: string | undefined; hard?: boolean | undefined }): Handle<null>
  createEdge(edge: WithValues<NewEdge<KeyOf<T>, T['edges']>>): Handle<object>
  deleteEdge(id: string): Handle<null>
}

/** The tables of an app in a batch. */
export type BatchTables<A> = { readonly [Name in keyof A & string]: BatchTable<TableOf<A, Name>> }

/** The results of the operations, in the form that the callback returned. */
export type BatchResult<Returned> = Returned extends { readonly [result]: infer Item }
  ? Item
  : { [Name in keyof Returned]: Returned[Name] extends { readonly [result]: infer Item } ? Item : never }

interface Operation {
  op: string
  table: string
  as?: string
  [member: string]: unknown
}

/** Collects the operations of the callback, and carries them out. */
export async function runBatch(
  transport: Transport,
  path: string,
  collect: (tables: never) => unknown,
  options: WriteOptions = {},
): Promise<unknown> {
  const operations: Operation[] = []
  const positions = new Map<unknown, number>()
  const add = (operation: Operation, isNamed: boolean) => {
    const name = `o${operations.length}`
    const handle = valuesOf(name)
    positions.set(handle, operations.length)
    operations.push(isNamed ? { ...operation, as: name } : operation)
    return handle
  }
  const tables = new Proxy({}, { get: (_, table) => batchTable(String(table), add) })
  const returned = collect(tables as never)
  const used = new Set(JSON.stringify(operations).match(/(?<="\$":")o\d+/g))
  const answer = await transport.json<{ data: { data?: unknown }[] }>({
    method: 'POST',
    path,
    // Removes the names that no other operation uses.
    body: operations.map(({ as, ...rest }) => (as !== undefined && used.has(as) ? { ...rest, as } : rest)),
    query: { dry_run: options.dryRun || undefined },
    key: options.idempotencyKey ?? true,
    signal: options.signal,
  })
  const written = (handle: unknown) => answer.data[positions.get(handle) ?? -1]?.data ?? null
  if (positions.has(returned)) return written(returned)
  if (typeof returned !== 'object' || returned === null) return undefined
  if (Array.isArray(returned)) return returned.map(written)
  return Object.fromEntries(Object.entries(returned).map(([name, handle]) => [name, written(handle)]))
}

const batchTable = (table: string, add: (operation: Operation, isNamed: boolean) => object) => ({
  create: (data: object) => add({ op: 'create', table, data }, true),
  update: (
    key: AnyKey | ValueOf<unknown>,
    data: object,
    options: { ifMatch?: string | undefined; includeDeleted?: boolean | undefined } = {},
  ) => add({ op: 'update', table, id: idOf(key), data, ...beside(options) }, true),
  upsert: (
    data: object,
    { uniqueFields, ...options }: { uniqueFields: readonly string[]; includeDeleted?: boolean | undefined },
  ) => add({ op: 'upsert', table, unique_fields: uniqueFields, data, ...beside(options) }, true),
  delete: (
    key: AnyKey | ValueOf<unknown>,
    options: { ifMatch?: string | undefined; hard?: boolean | undefined } = {},
  ) => add({ op: 'delete', table, id: idOf(key), ...beside(options) }, false),
  createEdge: (data: object) => add({ op: 'create_edge', table, data }, false),
  deleteEdge: (id: string) => add({ op: 'delete_edge', table, id }, false),
})

const beside = (options: {
  ifMatch?: string | undefined
  includeDeleted?: boolean | undefined
  hard?: boolean | undefined
}) => ({
  ...(options.ifMatch === undefined ? {} : { if_match: options.ifMatch }),
  ...(options.includeDeleted ? { include_deleted: true } : {}),
  ...(options.hard ? { hard_delete: true } : {}),
})

/** Returns a key as JSON carries it, or a reference to a value of an earlier operation. */
const idOf = (key: AnyKey | ValueOf<unknown>): unknown =>
  typeof key === 'object' && '$' in key ? { $: key.$ } : key

/** Each member is a reference to the field with this name. */
const valuesOf = (name: string): object =>
  new Proxy({}, { get: (_, field) => (typeof field === 'string' ? { $: `${name}.${field}` } : undefined) })
