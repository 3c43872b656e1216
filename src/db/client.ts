/** Neon over HTTP: statements go in as values, rows come out, in one round trip and one transaction. */
import { type NeonDbError, neon, neonConfig } from '@neondatabase/serverless'
import type { Config } from '../env.ts'
import { boundedFetch, type Reserve } from './answers.ts'
import { type Send, sendOf } from './batch.ts'
import { DatabaseAway, DatabaseFailure, isAway, isSqlState, isWorthRepeating } from './failures.ts'
import { healthOf, type Monitored, withBreaker } from './probe.ts'
import type { Results, Row } from './results.ts'
import { type Answers, answersOf, type Call, callOf } from './run.ts'
import type { Sql } from './sql.ts'

export interface Database {
  /**
   * Runs statements of the platform as one transaction. Throws DatabaseFailure, or DatabaseAway when there is no answer
   * within `deadlineMs`, or before when probes get none (probe.ts).
   */
  batch: Send
  /** Runs statements of the platform, the last of which enters a site, and then statements of that site, in the same way. */
  visit(platform: readonly Sql[], site: readonly Sql[], deadlineMs: number): Promise<Visited>
  /** What this request has spent here so far. */
  readonly spent: { roundTrips: number; milliseconds: number }
}

interface Visited {
  platform: Results
  site: Answers
}

/** The variables that say where the database is. */
type DatabaseVariables = Pick<Config, 'DATABASE_URL' | 'NEON_ENDPOINT'>

/** How often a transaction is repeated that Postgres ended for the sake of another. */
const repeatsMax = 2

/** A database for one request: no I/O object may outlive it. `reserve` is asked before a large answer is read. */
export function openDatabase(variables: DatabaseVariables, reserve?: Reserve): Database {
  neonConfig.fetchFunction = boundedFetch
  const monitored = monitoredDatabase(variables)
  const http = neon(variables.DATABASE_URL, { fullResults: true })
  const spent = { roundTrips: 0, milliseconds: 0 }

  async function once(calls: readonly Call[], deadlineMs: number): Promise<Row[][]> {
    const queries = calls.map(({ text, values }) => http.query(text, values, { types }))
    const started = performance.now()
    spent.roundTrips++
    try {
      const results = await withBreaker(monitored, deadlineMs, (signal) => http.transaction(queries, { fetchOptions: { signal, reserve } }))
      return results.map((result) => result.rows as Row[])
    } catch (error) {
      throw classified(error)
    } finally {
      spent.milliseconds += performance.now() - started
    }
  }

  async function repeated(calls: readonly Call[], deadlineMs: number): Promise<Row[][]> {
    for (let repeats = 0; ; repeats++) {
      try {
        return await once(calls, deadlineMs)
      } catch (error) {
        if (!(error instanceof DatabaseFailure && isWorthRepeating(error.sqlstate))) throw error
        if (repeats === repeatsMax) throw new DatabaseAway(error)
      }
    }
  }

  return {
    spent,
    batch: sendOf(async (statements, deadlineMs) => {
      const [rows = []] = await repeated([callOf('run', statements)], deadlineMs)
      return answersOf(rows, statements.length).results
    }),
    async visit(platform, site, deadlineMs) {
      const [first = [], second = []] = await repeated([callOf('run', platform), callOf('run_in_site', site)], deadlineMs)
      return { platform: answersOf(first, platform.length).results, site: answersOf(second, site.length) }
    },
  }
}

/** The database with its probe, which has connections of its own where they are pooled by URL, as in the local stack. */
export function monitoredDatabase({ DATABASE_URL, NEON_ENDPOINT }: DatabaseVariables): Monitored {
  if (NEON_ENDPOINT) neonConfig.fetchEndpoint = NEON_ENDPOINT
  return {
    health: healthOf(DATABASE_URL),
    async probe(signal) {
      const url = new URL(DATABASE_URL)
      url.searchParams.set('application_name', 'tessera-probe')
      await neon(url.href).query('select 1', [], { fetchOptions: { signal } })
    },
  }
}

/** Whether Postgres answered with an error, or could not be asked. */
export function classified(error: unknown): Error {
  if (error instanceof DatabaseAway) return error
  const { code } = error as NeonDbError
  if (!isSqlState(code) || isAway(code)) return new DatabaseAway(error)
  return new DatabaseFailure(error as NeonDbError & { code: string })
}

/** The driver heeds these for each query alone: a row is a number (23) and a text. */
const types = { getTypeParser: (oid: number) => (oid === 23 ? Number : (text: string) => text) }
