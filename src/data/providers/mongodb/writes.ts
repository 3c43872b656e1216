/** Writes records of tables in MongoDB: each write is one question. */
import { answerBytesMax } from '../../../kernel/db/answer-bytes.ts'
import { readJsonVerbatim } from '../../../kernel/lib/exact-json.ts'
import { wayOf } from '../../model/adopted.ts'
import type { Table } from '../../model/table.ts'
import type {
  CreatedRecords,
  DeletedRecords,
  FilteredRecords,
  RecordCreation,
  RecordDeletion,
  RecordInsert,
  RecordUpdate,
  RecordUpsert,
  RecordWriter,
  UpsertedRecords,
  WriteBatch,
  WrittenRecords,
} from '../provider.ts'
import { matchCountMax } from '../provider.ts'
import type { InputRows } from '../writes/input.ts'
import { notInMongodb } from './capabilities.ts'
import { Elsewhere } from './elsewhere.ts'
import { collectionForm, orderForm, predicateForm } from './forms.ts'
import { inboundForms, referenceForms, sentBy } from './key-forms.ts'
import type { DefaultForm, KeyForm, MatchForm, WriteForm } from './wire.ts'

/** The defaults that have no value in the schema, by the types of their fields. */
const generated: Readonly<Record<string, DefaultForm['from']>> = {
  datetime: 'clock',
  uuid: 'uuid',
  string: 'uuid',
  boolean: { json: 'false' },
}

/** Returns the defaults of the fields of new records. */
function defaultsOf(table: Table): DefaultForm[] {
  return [...table.fields.values()].flatMap((field): DefaultForm[] => {
    if (field === table.identity) return [{ field: field.name, from: 'number' }]
    if (wayOf(field.schema)?.name === 'objectId' && table.primaryKey.includes(field))
      return [{ field: field.name, from: 'object id' }]
    if (!field.default) return []
    const declared = field.schema.default ?? null
    const from = declared === null ? generated[field.schema.type] : { json: JSON.stringify(declared) }
    return from ? [{ field: field.name, from }] : []
  })
}

const noRecords: InputRows = { text: '[]', count: 0, counts: new Map(), highestIdentity: undefined }

/** Returns the records of a body under the names of fields. */
function recordsOf({ text, keyOfId }: InputRows): string {
  if (!keyOfId) return text
  const records = (readJsonVerbatim(text) as Record<string, unknown>[]).map(({ id, ...others }) => {
    if (keyOfId.some((name) => Object.hasOwn(others, name)))
      return { ...others, ...(keyOfId.includes('id') && { id }) }
    const values = keyOfId.length === 1 ? [id] : (id as unknown[])
    return { ...others, ...Object.fromEntries(keyOfId.map((name, place) => [name, values[place]])) }
  })
  return JSON.stringify(records)
}

interface Written {
  input?: InputRows
  references?: readonly KeyForm[]
  inbound?: readonly KeyForm[] | undefined
  returnsRecords: boolean
  returnsKeys?: boolean
}

/** Returns what every write is told. `events` are those that it would raise. */
function writeForm(
  table: Table,
  events: readonly string[],
  { input = noRecords, references = [], inbound, returnsRecords, returnsKeys = false }: Written,
): WriteForm {
  const heard = events.filter((event) => table.announced?.events.has(event))
  const isDry = table.triesNumbers === true
  const computed = [...(input.computed ?? [])].flatMap((name) => table.fields.get(name)?.schema ?? [])
  return {
    collection: collectionForm(table),
    ...(heard.length > 0 && !isDry && { note: { id: crypto.randomUUID(), table: table.id, events: heard } }),
    records: recordsOf(input),
    defaults: defaultsOf(table),
    createdAt: table.createdAt?.name ?? null,
    updatedAt: table.updatedAt?.name ?? null,
    softDelete: table.softDelete?.name ?? null,
    ...(computed.length > 0 && { computed }),
    ...(references.length > 0 && { references }),
    ...(inbound && { inbound }),
    highest: input.highestIdentity === undefined ? null : String(input.highestIdentity),
    returnsRecords,
    returnsKeys,
    isDry,
    bytesMax: answerBytesMax,
  }
}

const matchForm = (table: Table, which: FilteredRecords): MatchForm => ({
  where: predicateForm(table, which.filter),
  order: orderForm(table, which.order ?? []),
  limit: which.limit,
  expected: which.expected,
  isMeant: which.isMeant,
  rowsMax: which.rowsMax,
  countMax: matchCountMax,
})

/** Returns a write with the keys that it may change. `whole`: it sets all fields. */
function withKeys<Write extends RecordInsert>(table: Table, write: Write, whole = false) {
  const sent = whole ? 'all' : sentBy(write.input)
  return {
    ...write,
    references: referenceForms(table, write.references, sent),
    // A creation changes nothing that is referenced.
    inbound: write.inbound && inboundForms(table, write.inbound, sent),
  }
}

function insertRecords(table: Table, creation: RecordCreation): WriteBatch<CreatedRecords> {
  if (creation.ignoresTaken) throw notInMongodb('ignored')
  return {
    written: new Elsewhere(table, {
      ask: 'create',
      write: writeForm(table, ['RECORD_CREATE'], withKeys(table, creation)),
    }),
  }
}

function updateRecords(table: Table, update: RecordUpdate): WriteBatch<WrittenRecords> {
  const { which, includeDeleted, ifMatch, whole = false } = update
  const selected = which === 'keys of the body' ? null : which
  return {
    written: new Elsewhere(table, {
      ask: 'update',
      write: writeForm(table, ['RECORD_UPDATE'], withKeys(table, update, whole)),
      which: selected && 'filter' in selected ? { match: matchForm(table, selected) } : selected,
      includeDeleted,
      versions: ifMatch,
      whole,
    }),
  }
}

function upsertRecords(table: Table, upsert: RecordUpsert): WriteBatch<UpsertedRecords> {
  const { unique, needed, includeDeleted } = upsert
  return {
    written: new Elsewhere(table, {
      ask: 'upsert',
      write: writeForm(table, ['RECORD_CREATE', 'RECORD_UPDATE'], withKeys(table, upsert)),
      unique: unique.map(({ name }) => name),
      needed: needed.map(({ name }) => name),
      includeDeleted,
    }),
  }
}

function deleteRecords(table: Table, deletion: RecordDeletion): WriteBatch<DeletedRecords> {
  const { which, hard, ifMatch, returnsRecords } = deletion
  const inbound = inboundForms(table, deletion.inbound, 'all')
  if ('input' in which) throw notInMongodb('batch')
  return {
    written: new Elsewhere(table, {
      ask: 'delete',
      write: writeForm(table, ['RECORD_DELETE'], { inbound, returnsRecords, returnsKeys: true }),
      which: 'filter' in which ? { match: matchForm(table, which) } : which,
      hard,
      versions: ifMatch,
    }),
  }
}

/** The functions that write records. */
export const writes: RecordWriter = { insertRecords, updateRecords, upsertRecords, deleteRecords }
