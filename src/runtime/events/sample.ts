/** Sample events: the first argument that a function would get, with made-up values of the right types. */
import type { EventName } from './names.ts'

/** A field of a table's schema, as far as a sample needs it. */
interface SampledField {
  name: string
  type: string
  format?: string | undefined
  constraints?: { enum?: readonly unknown[] | undefined } | undefined
}

/** The table of a record event. */
export interface SampledTable {
  app: string
  name: string
  fields: readonly SampledField[]
  primaryKey: readonly string[]
}

/** The events whose samples need a table. */
export const recordEvents = ['RECORD_CREATE', 'RECORD_UPDATE', 'RECORD_DELETE'] as const

const moment = '2026-03-02T09:30:00.000000Z'
const uuid = '00000000-0000-4000-8000-000000000001'

const byFormat: Readonly<Record<string, unknown>> = {
  ...{ email: 'ada@example.org', uri: 'https://example.org/', uuid, date: '2026-03-02', datetime: moment },
}
const byType: Readonly<Record<string, unknown>> = {
  ...{ integer: 1, number: 1.5, boolean: true, date: '2026-03-02', time: '09:30:00', datetime: moment },
  ...{ object: {}, array: [], uuid },
}

const sampleOf = ({ name, type, format, constraints }: SampledField): unknown =>
  constraints?.enum?.[0] ?? byFormat[format ?? ''] ?? byType[type] ?? name

const person = { username: 'ada', email: 'ada@example.org', first_name: 'Ada', last_name: 'Berg' }
const account = {
  ...person,
  ...{ id: 1, uuid, full_name: 'Ada Berg', is_active: true, is_superuser: false },
  ...{ date_joined: moment, last_login: null },
}

/** Returns the sample of an event. `table` is that of a record event; undefined for events of accounts. */
export function sampleEvent(event: EventName, table: SampledTable | undefined): object {
  if (event === 'PRE_USER_CREATE') return { ...person, phase: 'created' }
  if (event === 'POST_USER_CREATE') return { ...account, phase: 'created' }
  if (!table) return account
  const data = Object.fromEntries(table.fields.map((field) => [field.name, sampleOf(field)]))
  const key = table.primaryKey.map((name) => data[name])
  return {
    ...{ type: event, app_slug: table.app, datatable: table.name },
    record_id: key.length === 1 ? key[0] : key,
    data,
    ...(event === 'RECORD_UPDATE' ? { previous: data } : {}),
  }
}
