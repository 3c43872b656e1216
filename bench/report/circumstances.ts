/** The time and the machine of a measurement. */
import type pg from 'pg'
import { currentCommit, describeMachine, type Machine } from './machine.ts'

export interface Circumstances {
  /** ISO 8601, in UTC. */
  date: string
  /** The short hash of the commit; with a plus sign if files differ from it. */
  commit: string
  machine: Machine
}

/** Describes this moment and this machine. `sql`: a connection to the measured Postgres. */
export const circumstances = async (sql: pg.Client): Promise<Circumstances> => ({
  date: new Date().toISOString(),
  commit: currentCommit(),
  machine: await describeMachine(sql),
})

/** Returns a sentence that describes them. */
export const measuredAt = ({ date, commit, machine }: Circumstances): string =>
  `Measured on ${date.slice(0, 10)} at commit ${commit}: ${machine.cores} cores (${machine.cpu}), ` +
  `Postgres ${machine.postgres}, Node ${machine.node}.`
