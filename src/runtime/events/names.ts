/** The names of events. */

/** The events of records. */
export type RecordEvent = 'RECORD_CREATE' | 'RECORD_UPDATE' | 'RECORD_DELETE'
/** The events of accounts. */
export type UserEvent = 'PRE_USER_CREATE' | 'POST_USER_CREATE' | 'POST_USER_UPDATE' | 'POST_USER_DELETE'
export type EventName = RecordEvent | UserEvent
