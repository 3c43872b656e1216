/** Sends statements to Neon over HTTP, in one round trip and one transaction. */
import { type NeonDbError, type NeonQueryFunction, neon, neonConfig } from '@neondatabase/serverless'
import type { Config } from '../env.ts'
import { contentionDelayMs, retry } from '../lib/retry.ts'
import { noteRoundTrip, type RoundTripObserver } from '../telemetry/round-trips.ts'
import { type Batch, type Row, rowsByName, statementsOf } from './batch.ts'
import { DataSql } from './data-sql.ts'
import type { Database } from './database.ts'
import { graceMs, timeoutMs } from './entering.ts'
import {
  DatabaseFailure,
  DatabaseUnavailable,
  isCanceledByOthers,
  isRetryable,
  isSqlState,
  isUnavailable,
} from './failures.ts'
import { withKeptPlan } from './kept-plans.ts'
import type { LongText, TakeText } from './long-text.ts'
import { healthOf, type MonitoredDatabase, withBreaker } from './probe.ts'
import { boundedFetch, type Reserve } from './result-memory.ts'
import {
  type Call,
  callInSite,
  callOf,
  callOfPart,
  EntrySql,
  entryCall,
  longerTime,
  readPart,
  readResults,
  renderAll,
} from './run.ts'

/** The variables with the address of the database. */
type DatabaseVariables = Pick<Config, 'DATABASE_URL' | 'NEON_ENDPOINT'>

type Driver = NeonQueryFunction<false, true>

const drivers = new Map<string, Driver>()

/** Returns the driver for a URL. It has no state but the URL, so the requests of an isolate share it. */
function driverOf(url: string): Driver {
  const driver = drivers.get(url) ?? neon(url, { fullResults: true })
  drivers.set(url, driver)
  return driver
}

/** Calls that are one transaction, and the names of their statements. */
interface Sending {
  calls: readonly Call[]
  names: readonly string[]
  /** Gets the long text of the result. Omitted: the result is read as a whole. */
  take?: TakeText | undefined
}

const observeAlone: RoundTripObserver = (trip) => noteRoundTrip(undefined, trip)

/** Returns the names of the statements that are sent, without those that every batch has. */
const namesOf = (batch: Batch): string[] =>
  Object.keys(batch).filter((name) => !name.startsWith('_') && batch[name] !== undefined)

/**
 * How often a transaction is sent at most, if it fails with errors of isRetryable within half of its time. Of
 * ten transactions that change the same record, each repetition lets at least one finish.
 */
const attempts = 10

/**
 * Opens a database for one request, because no I/O object may outlive a request. `reserve` is called before a
 * large answer is read. `observer` is called after each round trip; by default only metrics record it.
 */
export function openDatabase(
  variables: DatabaseVariables,
  reserve?: Reserve,
  observer: RoundTripObserver = observeAlone,
): Database {
  neonConfig.fetchFunction = boundedFetch
  const monitored = monitoredDatabase(variables)
  const http = driverOf(variables.DATABASE_URL)
  const spent = { roundTrips: 0, milliseconds: 0 }

  /** Sends calls as one transaction. A single call is a transaction by itself. */
  function send({ calls, take }: Sending, signal: AbortSignal) {
    const fetchOptions = { signal, reserve, take }
    const [only, ...more] = calls
    if (only && more.length === 0)
      return http.query(only.text, only.values, { types, fetchOptions }).then((result) => [result])
    const queries = calls.map(({ text, values }) => http.query(text, values, { types }))
    return http.transaction(queries, { fetchOptions })
  }

  async function once(sending: Sending, deadlineMs: number): Promise<Row[][]> {
    const started = performance.now()
    const from = Date.now()
    let failure: string | null = null
    spent.roundTrips++
    try {
      const results = await withBreaker(monitored, deadlineMs, (signal) => send(sending, signal))
      return results.map((result) => result.rows as Row[])
    } catch (error) {
      const thrown = asDatabaseError(error)
      failure = thrown instanceof DatabaseFailure ? thrown.sqlstate : 'unavailable'
      throw thrown
    } finally {
      const ms = performance.now() - started
      spent.milliseconds += ms
      observer({ names: sending.names, from, ms, failure })
    }
  }

  async function withRepeats(sending: Sending, deadlineMs: number): Promise<Row[][]> {
    const end = performance.now() + deadlineMs
    const leftMs = () => end - performance.now()
    const isTransient = (error: unknown) => error instanceof DatabaseFailure && isRetryable(error)
    try {
      return await retry(
        {
          attempts,
          isTransient: (error) => isTransient(error) && leftMs() >= deadlineMs / 2,
          pauseMs: contentionDelayMs,
        },
        () => once(sending, leftMs()),
      )
    } catch (error) {
      throw isTransient(error) ? new DatabaseUnavailable(error) : error
    }
  }

  /**
   * Sends calls with the time limit for which the client waits. The default limit of the role is that of a
   * read.
   */
  async function inTime(sending: Sending, deadlineMs: number) {
    if (deadlineMs <= timeoutMs.read + graceMs) return withRepeats(sending, deadlineMs)
    const calls = [longerTime, ...sending.calls]
    return (await withRepeats({ ...sending, calls }, deadlineMs)).slice(1)
  }

  return {
    spent,
    async batch(statements, deadlineMs) {
      const list = statementsOf(statements)
      const [rows = []] = await inTime(
        { calls: [callOf('run', list)], names: namesOf(statements) },
        deadlineMs,
      )
      return rowsByName(statements, readResults(rows, list).lists)
    },
    async batchInParts(platform, parts, deadlineMs) {
      const list = statementsOf(platform)
      const calls = [callOf('run', list), ...parts.map(callOfPart)]
      const names = [...namesOf(platform), ...namesOf(parts[0]?.statements ?? {})]
      const [rows = [], ...ofParts] = await withRepeats({ calls, names }, deadlineMs)
      return {
        platform: rowsByName(platform, readResults(rows, list).lists),
        parts: parts.map(({ statements }, index) => readPart(ofParts[index] ?? [], statements)),
      }
    },
    async batchInSite(platform, site, deadlineMs, oneCall) {
      const [ofPlatform, ofSite] = [statementsOf(platform), statementsOf(site)]
      const names = [...namesOf(platform), ...namesOf(site)]
      const [enter, ...others] = ofPlatform
      const isEntryOnly = enter !== undefined && others.length === 0
      const long: { text?: LongText } = {}
      const [first] = ofSite
      const isInParts = ofSite.length === 1 && first instanceof DataSql && first.isInParts
      const take = isInParts ? (text: LongText) => void Object.assign(long, { text }) : undefined
      if (isEntryOnly && oneCall && enter instanceof EntrySql) {
        const rows = await withKeptPlan(oneCall.keeps, renderAll(ofSite), async (rendered) => {
          const [rows = []] = await withRepeats(
            { calls: [callInSite(enter, rendered)], names, take },
            deadlineMs,
          )
          return rows
        })
        const { lists, notes } = readResults(rows, ofSite, long.text)
        return { platform: rowsByName(platform, [rows.slice(0, 1)]), site: rowsByName(site, lists), notes }
      }
      const entry = isEntryOnly ? entryCall(enter) : callOf('run', ofPlatform)
      const calls = [entry, callOf('run_in_site', ofSite)]
      const [entered = [], rows = []] = await inTime({ calls, names, take }, deadlineMs)
      const { lists, notes } = readResults(rows, ofSite, long.text)
      return {
        platform: rowsByName(platform, isEntryOnly ? [entered] : readResults(entered, ofPlatform).lists),
        site: rowsByName(site, lists),
        notes,
      }
    },
  }
}

/**
 * Returns the database with its probe. Where connections are pooled by URL, as locally, the probe has its own
 * connection.
 */
export function monitoredDatabase({ DATABASE_URL, NEON_ENDPOINT }: DatabaseVariables): MonitoredDatabase {
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

/**
 * Converts an error of the driver to DatabaseFailure if Postgres returned an error, otherwise to
 * DatabaseUnavailable.
 */
export function asDatabaseError(error: unknown): Error {
  if (error instanceof DatabaseUnavailable) return error
  const { code, message } = error as NeonDbError
  if (!isSqlState(code) || isUnavailable(code) || isCanceledByOthers(code, message))
    return new DatabaseUnavailable(error)
  return new DatabaseFailure(error as NeonDbError & { code: string })
}

/**
 * The driver reads this option only for single queries. Rows consist of integers (the types 20 and 23) and
 * texts.
 */
const types = { getTypeParser: (oid: number) => (oid === 20 || oid === 23 ? Number : (text: string) => text) }
