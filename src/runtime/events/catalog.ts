/** The catalog of events. Spec: Events; E1. */
import type { z } from 'zod'
import type { EventName } from './names.ts'
import {
  account,
  accountToBe,
  changedAccount,
  changedRecordPayload,
  createdAccount,
  recordPayload,
} from './payloads.ts'

export type { EventName, RecordEvent, UserEvent } from './names.ts'

/** An event that functions can subscribe to. */
export interface EventKind {
  name: EventName
  /** True if the operation waits for the functions, and is aborted if one of them fails. */
  blocking: boolean
  /**
   * True if it concerns a record: it runs only functions of the record's app. False if it concerns an
   * account.
   */
  ofRecords: boolean
  /** The first argument of the functions. */
  payload: z.ZodType
}

const kinds: readonly EventKind[] = [
  { name: 'PRE_USER_CREATE', blocking: true, ofRecords: false, payload: accountToBe },
  { name: 'POST_USER_CREATE', blocking: false, ofRecords: false, payload: createdAccount },
  { name: 'POST_USER_UPDATE', blocking: false, ofRecords: false, payload: changedAccount },
  { name: 'POST_USER_DELETE', blocking: false, ofRecords: false, payload: account },
  { name: 'RECORD_CREATE', blocking: false, ofRecords: true, payload: recordPayload('RECORD_CREATE') },
  { name: 'RECORD_UPDATE', blocking: false, ofRecords: true, payload: changedRecordPayload('RECORD_UPDATE') },
  { name: 'RECORD_DELETE', blocking: false, ofRecords: true, payload: recordPayload('RECORD_DELETE') },
]

export const events: ReadonlyMap<string, EventKind> = new Map(kinds.map((kind) => [kind.name, kind]))
/** The names of all events, in the order of the catalog. */
export const eventNames: readonly EventName[] = kinds.map(({ name }) => name)
