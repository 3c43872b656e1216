/** What a request for one kind of write is: how it is planned, and what it answers. */
import type { RequestContext } from '../../../kernel/context.ts'
import type { Mode } from '../../../kernel/db/entering.ts'
import type { DatabaseFailure } from '../../../kernel/db/failures.ts'
import type { SentBody } from '../../../kernel/http/body-formats.ts'
import type { RecordsPath } from '../../catalog/find-table.ts'
import type { GuestAction } from '../../model/written-fields.ts'
import type { Step } from './steps.ts'
import type { Target } from './target.ts'

/** The path of a write: of a table, of a record, or of an edge. */
export interface WritePath extends RecordsPath {
  record?: string
  edge?: string
}

/** What a request sends. */
export interface Sent {
  /** Omitted: it has no body. */
  body?: SentBody
  parameters: URLSearchParams
  /** The versions that the record may have. Omitted or null: any will do. */
  ifMatch?: readonly string[] | null
  /** Whether the answer contains the records if the parameters do not say. Omitted: as usual. */
  returns?: boolean
}

/** A request with its target. */
export interface Asked extends Sent {
  ctx: RequestContext
  path: WritePath
  target: Target
}

/** A plain write: one step, sent by itself. Its statement `written` returns one row. */
export interface PlannedWrite<Row extends object> {
  step: Step<Row>
  mode: Mode
  /** Whether the write is rolled back in the end. */
  isDry: boolean
  /** Tells whether the write may succeed if it is planned again. Omitted: it does not. */
  mayTryAgain?(failure: DatabaseFailure): boolean
}

/** A kind of request. */
export interface WriteRequest<Row extends object, Body> {
  /** The action that access rules must allow guests. */
  action: GuestAction
  plan(asked: Asked): PlannedWrite<Row>
  /**
   * Creates the body of the answer from the row of a write that has no conflict. `bulk`: the body of the
   * request was an array.
   */
  answer(written: Row, bulk: boolean, sent: Sent): Body
  /** Writes the records that are valid, for `atomic=false`. Omitted: it writes all or none. */
  inParts?(ctx: RequestContext, path: WritePath, sent: Sent): Promise<Body>
}
