/** The events that there are: one row each. Spec: Events; E1. */
import type { z } from 'zod'
import { account, accountToBe, changedRecordPayload, recordPayload } from './payloads.ts'

export interface EventKind {
  name: EventName
  /** Whether what causes it waits for its functions, and is given up when one of them fails. */
  blocking: boolean
  /** Whether it is about a record of an app, and runs the functions of that app alone; else it is about an account. */
  ofRecords: boolean
  /** The parameters of its functions. */
  payload: z.ZodType
}

export type RecordEvent = 'RECORD_CREATE' | 'RECORD_UPDATE' | 'RECORD_DELETE'
export type UserEvent = 'PRE_USER_CREATE' | 'POST_USER_CREATE' | 'POST_USER_UPDATE' | 'POST_USER_DELETE'
export type EventName = RecordEvent | UserEvent

const kinds: readonly EventKind[] = [
  { name: 'PRE_USER_CREATE', blocking: true, ofRecords: false, payload: accountToBe },
  { name: 'POST_USER_CREATE', blocking: false, ofRecords: false, payload: account },
  { name: 'POST_USER_UPDATE', blocking: false, ofRecords: false, payload: account },
  { name: 'POST_USER_DELETE', blocking: false, ofRecords: false, payload: account },
  { name: 'RECORD_CREATE', blocking: false, ofRecords: true, payload: recordPayload('RECORD_CREATE') },
  { name: 'RECORD_UPDATE', blocking: false, ofRecords: true, payload: changedRecordPayload('RECORD_UPDATE') },
  { name: 'RECORD_DELETE', blocking: false, ofRecords: true, payload: recordPayload('RECORD_DELETE') },
]

export const events: ReadonlyMap<string, EventKind> = new Map(kinds.map((kind) => [kind.name, kind]))
export const eventNames: readonly EventName[] = kinds.map(({ name }) => name)
