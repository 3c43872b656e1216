/**
 * A change of a large table: what takes long is done ahead of its transaction, one thing after the other, so that who
 * reads and writes the table waits for a moment at most. Until the transaction nothing of it is part of the schema.
 */
import type { RequestContext } from '../../../context.ts'
import { inSession, type Session } from '../../../db/session.ts'
import type { Ahead, DdlStep } from '../../providers/provider.ts'
import type { Table } from '../table.ts'
import { changeUnderWay } from './errors.ts'
import { claimed, queueTidying, tidy } from './leftovers.ts'
import { patiently } from './patiently.ts'
import { lockBriefly } from './store.ts'

/** Indexes come before constraints, which bind writers from then on. */
const stages: readonly Ahead['stage'][] = ['column', 'index', 'constraint', 'validation']

/** Does what is to be done ahead of `steps`, then `commit`, which is told how long it took for each of them. */
export function online<Result>(
  ctx: RequestContext,
  siteId: number,
  table: Table,
  steps: readonly DdlStep[],
  commit: (aheadMs: readonly number[]) => Promise<Result>,
): Promise<Result> {
  const work = inSession(ctx, async (session) => {
    if (!(await claimed(session, table))) throw changeUnderWay(table.name)
    await tidy(session, table)
    await queueTidying(ctx.env, siteId, table.physicalName)
    try {
      return await commit(await workAhead(session, steps))
    } catch (error) {
      await tidy(session, table)
        // The session is what may have failed. Otherwise the job is left to do it.
        .catch(() => inSession(ctx, (another) => tidy(another, table)))
        .catch(() => undefined)
      throw error
    }
  })
  // A client that hangs up does not cut it off at once.
  ctx.waitUntil(work.catch(() => undefined))
  return work
}

async function workAhead(session: Session, steps: readonly DdlStep[]): Promise<number[]> {
  const milliseconds = steps.map(() => 0)
  for (const stage of stages) {
    for (const [position, { ahead = [] }] of steps.entries()) {
      for (const { statement } of ahead.filter((work) => work.stage === stage)) {
        const began = performance.now()
        await patiently<unknown>(() => (isLocking(stage) ? session.transaction([lockBriefly, statement]) : session.run(statement)))
        milliseconds[position] = (milliseconds[position] as number) + performance.now() - began
      }
    }
  }
  return milliseconds
}

/** Whether others wait for as long as it waits for them. */
const isLocking = (stage: Ahead['stage']) => stage === 'column' || stage === 'constraint'
