/** Neon over HTTP: statements go in as values, rows come out, in one round trip and one transaction. */
import { type NeonDbError, neon, neonConfig } from '@neondatabase/serverless'
import type { Config } from '../env.ts'
import { DatabaseAway, DatabaseFailure, isAway, isSqlState, isWorthRepeating } from './failures.ts'
import { healthOf, type Monitored, withBreaker } from './probe.ts'
import { Results, type Row } from './results.ts'
import { render, type Sql } from './sql.ts'

export interface Database {
  /**
   * Runs statements as one transaction. Columns are parsed as `parsers` says. Throws DatabaseFailure, or DatabaseAway when there
   * is no answer within `deadlineMs`, or before when probes get none (probe.ts).
   */
  batch(statements: readonly Sql[], deadlineMs: number): Promise<Results>
  /** What this request has spent here so far. */
  readonly spent: { roundTrips: number; milliseconds: number }
}

/** The variables that say where the database is. */
type DatabaseVariables = Pick<Config, 'DATABASE_URL' | 'NEON_ENDPOINT'>

/** How often a transaction is repeated that Postgres ended for the sake of another. */
const repeatsMax = 2

/** A database for one request: no I/O object may outlive it. */
export function openDatabase(variables: DatabaseVariables): Database {
  const monitored = monitoredDatabase(variables)
  const http = neon(variables.DATABASE_URL, { fullResults: true })
  const spent = { roundTrips: 0, milliseconds: 0 }

  async function once(statements: readonly Sql[], deadlineMs: number): Promise<Results> {
    const queries = statements.map((statement) => {
      const { text, values } = render(statement)
      return http.query(text, values, { types })
    })
    const started = performance.now()
    spent.roundTrips++
    try {
      const results = await withBreaker(monitored, deadlineMs, (signal) => http.transaction(queries, { fetchOptions: { signal } }))
      return new Results(results.map((result) => result.rows as Row[]))
    } catch (error) {
      throw classified(error)
    } finally {
      spent.milliseconds += performance.now() - started
    }
  }

  return {
    spent,
    async batch(statements, deadlineMs) {
      for (let repeats = 0; ; repeats++) {
        try {
          return await once(statements, deadlineMs)
        } catch (error) {
          if (!(error instanceof DatabaseFailure && isWorthRepeating(error.sqlstate))) throw error
          if (repeats === repeatsMax) throw new DatabaseAway(error)
        }
      }
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

const asIs = (text: string) => text

/** The driver heeds these for each query alone. */
const types = { getTypeParser: (oid: number) => parsers.get(oid) ?? asIs }

/** By type oid. Our own ids are far below 2^53. What a client's tables hold is never parsed: it comes as JSON text. */
const parsers = new Map<number, (text: string) => unknown>([
  [16, (text) => text === 't'],
  [20, Number],
  [21, Number],
  [23, Number],
  [114, JSON.parse],
  [3802, JSON.parse],
  [1184, (text) => text.replace(' ', 'T').replace(/\+00$/, 'Z')],
])
