/**
 * A change of a large table: what takes long is done ahead of its transaction, one thing after the other, so that who
 * reads and writes the table waits for a moment at most. Until the transaction nothing of it is part of the schema. What
 * a change that failed has made goes with it; what one that was cut off has made, the next one takes away.
 */
import type { RequestContext } from '../../../context.ts'
import { inSession, type Session } from '../../../db/session.ts'
import type { Ahead, DdlStep } from '../../providers/provider.ts'
import type { Table } from '../table.ts'
import { changeUnderWay } from './errors.ts'
import { patiently } from './run.ts'
import { claim, dropLeftover, type Leftover, lockBriefly, selectLeftovers } from './store.ts'

/** Indexes come before constraints, which bind writers from then on. */
const stages: readonly Ahead['stage'][] = ['column', 'index', 'constraint', 'validation']

/** Does what is to be done ahead of `steps`, then `commit`, which is told how long it took for each of them. */
export const online = <Result>(
  ctx: RequestContext,
  table: Table,
  steps: readonly DdlStep[],
  commit: (aheadMs: readonly number[]) => Promise<Result>,
): Promise<Result> =>
  inSession(ctx, async (session) => {
    const [lock] = await session.run<{ claimed: boolean }>(claim(table))
    if (!lock?.claimed) throw changeUnderWay(table.name)
    await tidy(session, table)
    try {
      return await commit(await workAhead(session, steps))
    } catch (error) {
      await tidy(session, table)
        .catch(() => inSession(ctx, (another) => tidy(another, table)))
        .catch(() => undefined)
      throw error
    }
  })

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

async function tidy(session: Session, table: Table): Promise<void> {
  for (const leftover of await session.run<Leftover>(selectLeftovers(table))) {
    const drop = dropLeftover(table, leftover)
    await patiently<unknown>(() => (leftover.kind === 'index' ? session.run(drop) : session.transaction([lockBriefly, drop])))
  }
}
