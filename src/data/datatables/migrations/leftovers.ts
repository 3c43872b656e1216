/**
 * What a change of a large table has made ahead of a schema that then did not come into force. The change itself takes
 * it away when it fails; when it is cut off, a job that it queued beforehand does, or the next change of the table.
 */
import { inSessionOfSite, type Session } from '../../../db/session.ts'
import { configOf, type Env } from '../../../env.ts'
import { type Place, placeOf } from '../table.ts'
import { patiently } from './patiently.ts'
import { claim, dropLeftover, exists, type Leftover, lockBriefly, selectLeftovers } from './store.ts'

/** Keeps other changes of the table away for as long as the session lives; false when one is being made. */
export async function claimed(session: Session, place: Place): Promise<boolean> {
  return (await session.run(claim(place))).length > 0
}

export async function tidy(session: Session, place: Place): Promise<void> {
  for (const leftover of await session.run<Leftover>(selectLeftovers(place))) {
    const drop = dropLeftover(place, leftover)
    await patiently<unknown>(() => (leftover.kind === 'index' ? session.run(drop) : session.transaction([lockBriefly, drop])))
  }
}

export interface TidyTable {
  kind: 'tidy-table'
  siteId: number
  /** The name of the physical table. */
  table: string
}

const delaySeconds = 60

/** Has the table looked after in case that this request is cut off. */
export const queueTidying = (env: Env, siteId: number, table: string): Promise<unknown> =>
  env.JOBS.send({ kind: 'tidy-table', siteId, table } satisfies TidyTable, { delaySeconds })

/** A change that is still being made is waited for. */
export async function tidyTable(env: Env, { siteId, table: name }: TidyTable): Promise<void> {
  const isDone = await inSessionOfSite(configOf(env), siteId, async (session) => {
    const place = placeOf(siteId, name)
    const [table] = await session.run<{ exists: boolean }>(exists(place))
    if (!table?.exists) return true
    if (!(await claimed(session, place))) return false
    await tidy(session, place)
    return true
  })
  if (!isDone) await queueTidying(env, siteId, name)
}
