/** The data that tasks of exports and imports use. */
import type { RequestContext } from '../../../kernel/context.ts'
import type { Env } from '../../../kernel/env.ts'
import type { Source } from '../source/source.ts'
import type { ClaimedTransfer } from '../store.ts'

/** A running task. */
export interface Archiving {
  env: Env
  transfer: ClaimedTransfer
  source: Source
  /** Returns a context for the tables and functions of the exported site. */
  context(): RequestContext
  place: unknown
}
