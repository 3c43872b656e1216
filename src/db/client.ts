/** Neon over HTTP: statements go in as values, rows come out, in one round trip and one transaction. */
import { type NeonDbError, neon, neonConfig } from '@neondatabase/serverless'
import type { Config } from '../env.ts'
import { withDeadline } from '../lib/deadline.ts'
import { boundedFetch, type Reserve } from './answers.ts'
import { DatabaseAway, DatabaseFailure, isAway, isWorthRepeating } from './failures.ts'
import type { Results, Row } from './results.ts'
import { type Answers, answersOf, type Call, callOf } from './run.ts'
import type { Sql } from './sql.ts'

export interface Database {
  /**
   * Runs statements of the platform as one transaction. Throws DatabaseFailure, or DatabaseAway when there is no answer
   * within `deadlineMs`.
   */
  batch(statements: readonly Sql[], deadlineMs: number): Promise<Results>
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
export function openDatabase({ DATABASE_URL, NEON_ENDPOINT }: DatabaseVariables, reserve?: Reserve): Database {
  neonConfig.fetchFunction = boundedFetch
  if (NEON_ENDPOINT) neonConfig.fetchEndpoint = NEON_ENDPOINT
  const http = neon(DATABASE_URL, { fullResults: true })
  const spent = { roundTrips: 0, milliseconds: 0 }

  async function once(calls: readonly Call[], deadlineMs: number): Promise<Row[][]> {
    const queries = calls.map(({ text, values }) => http.query(text, values, { types }))
    const started = performance.now()
    spent.roundTrips++
    try {
      const results = await withDeadline(deadlineMs, (signal) => http.transaction(queries, { fetchOptions: { signal, reserve } }))
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
    async batch(statements, deadlineMs) {
      const [rows = []] = await repeated([callOf('run', statements)], deadlineMs)
      return answersOf(rows, statements.length).results
    },
    async visit(platform, site, deadlineMs) {
      const [first = [], second = []] = await repeated([callOf('run', platform), callOf('run_in_site', site)], deadlineMs)
      return { platform: answersOf(first, platform.length).results, site: answersOf(second, site.length) }
    },
  }
}

/** Whether Postgres answered with an error, or could not be asked. */
export function classified(error: unknown): Error {
  const { code } = error as NeonDbError
  // Failures of the network have codes of other forms, as ECONNRESET.
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code) || isAway(code)) return new DatabaseAway(error)
  return new DatabaseFailure(error as NeonDbError & { code: string })
}

/** The driver heeds these for each query alone: a row is a number (23) and a text. */
const types = { getTypeParser: (oid: number) => (oid === 23 ? Number : (text: string) => text) }
