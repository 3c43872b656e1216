/** What the tasks of archives work with. */
import type { RequestContext } from '../../context.ts'
import type { Env } from '../../env.ts'
import type { Source } from '../source/source.ts'
import type { ClaimedTransfer } from '../store.ts'

/** A task that goes on. */
export interface Archiving {
  env: Env
  transfer: ClaimedTransfer
  source: Source
  /** Of the site that is exported. */
  context(): RequestContext
  place: unknown
}
