/** When and where something was measured. */
import type pg from 'pg'
import { currentCommit, describeMachine, type Machine } from './machine.ts'

export interface Circumstances {
  /** ISO 8601, in UTC. */
  date: string
  /** Short; with a plus sign where files differ from it. */
  commit: string
  machine: Machine
}

/** Describes now and here. `sql`: a connection to the Postgres that was measured. */
export const circumstances = async (sql: pg.Client): Promise<Circumstances> => ({
  date: new Date().toISOString(),
  commit: currentCommit(),
  machine: await describeMachine(sql),
})

/** Returns the sentence that says them. */
export const measuredAt = ({ date, commit, machine }: Circumstances): string =>
  `Measured on ${date.slice(0, 10)} at commit ${commit}: ${machine.cores} cores (${machine.cpu}), ` +
  `Postgres ${machine.postgres}, Node ${machine.node}.`
