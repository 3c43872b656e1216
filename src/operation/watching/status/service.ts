/** The status of the service, for superusers: the measurements of this isolate, and the state in Postgres. */

import { keyRing } from '../../../kernel/access/signing-keys.ts'
import type { RequestContext } from '../../../kernel/context.ts'
import { requireCaller } from '../../../kernel/db/entering.ts'
import { onPlatform } from '../../../kernel/db/platform.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Config } from '../../../kernel/env.ts'
import {
  type InstrumentName,
  type Measurements,
  measurements,
  type Series,
} from '../../../kernel/telemetry/metrics.ts'
import { type Gauges, prometheusText } from '../../../kernel/telemetry/prometheus.ts'
import { masterKeys } from '../../../secrets/encryption/service.ts'
import type { Status } from './schema.ts'
import * as store from './store.ts'

const shapesMax = 20

const statementsOf = ({ config }: RequestContext) => ({
  queue: store.selectQueue,
  failed: store.selectFailed,
  jobs: store.selectDeadJobs,
  sites: store.selectSites(config.SITES_MAX),
})

/** Returns the status of the service. Throws 403 for callers who are not superusers. */
export async function readStatus(ctx: RequestContext): Promise<Status> {
  const measured = measurements()
  const { queue, failed, jobs, sites, wrapping, advice } = await onPlatform(ctx, {
    superuser: requireSuperuser(ctx),
    ...statementsOf(ctx),
    wrapping: store.selectMasterKeys,
    advice: store.selectAdvice(shapesMax),
  })
  return {
    isolate: isolateOf(measured),
    slow_statements: slowestOf(measured),
    advice: advice.all.map((one) => ({ ...one, max_ms: Math.round(one.max_ms * 10) / 10 })),
    queue: queue.one,
    dead_letters: { invocations: failed.one.invocations, jobs: [...jobs.all] },
    sites: sites.one,
    keys: { master: await masterKeysOf(ctx.config, wrapping.all), signing: await signingKeysOf(ctx.config) },
  }
}

/** Returns the metrics in the format of Prometheus. Throws 403 for callers who are not superusers. */
export async function readMetrics(ctx: RequestContext): Promise<string> {
  const answers = await onPlatform(ctx, { superuser: requireSuperuser(ctx), ...statementsOf(ctx) })
  return prometheusText(measurements(), gaugesOf(answers))
}

/** Returns the same metrics without a caller, for the local stack. */
export async function readLocalMetrics(ctx: RequestContext): Promise<string> {
  const answers = await ctx.database.batch(statementsOf(ctx), 5_000)
  return prometheusText(measurements(), gaugesOf(answers))
}

const requireSuperuser = (ctx: RequestContext) =>
  sql`select public.require_superuser(${requireCaller(ctx).userId})`

interface Answers {
  queue: { one: Status['queue'] }
  failed: { one: { invocations: number } }
  jobs: { all: readonly { count: number }[] }
  sites: { one: Status['sites'] }
}

const gaugesOf = ({ queue, failed, jobs, sites }: Answers): Gauges => ({
  'tessera.queue.rows': ['Waiting outbox rows.', queue.one.rows],
  'tessera.queue.overdue': ['Overdue outbox rows.', queue.one.overdue],
  'tessera.dead_letters': ['Invocations that have failed permanently.', failed.one.invocations],
  'tessera.dead_jobs': [
    'Messages that have failed permanently.',
    jobs.all.reduce((sum, { count }) => sum + count, 0),
  ],
  'tessera.sites': ['Sites.', sites.one.count],
  'tessera.sites.max': ['The most sites that the database may have.', sites.one.max],
  'tessera.sites.limited': ['Sites that have reached a hard limit.', sites.one.limited],
  'tessera.sites.outdated': [
    'Sites with views, functions or triggers of an earlier release.',
    sites.one.outdated,
  ],
})

const seriesOf = ({ series }: Measurements, name: InstrumentName): readonly Series[] =>
  series.find(([each]) => each === name)?.[1] ?? []

function isolateOf(measured: Measurements): Status['isolate'] {
  const requests = seriesOf(measured, 'http.server.request.duration')
  const failed = requests.filter(({ attributes }) => Number(attributes['http.response.status_code']) >= 500)
  const trips = seriesOf(measured, 'tessera.db.round_trip.duration')
  const tripCount = sumOf(trips, 'count')
  return {
    since: new Date(measured.since).toISOString(),
    requests: sumOf(requests, 'count'),
    failed_requests: sumOf(failed, 'count'),
    round_trips: tripCount,
    round_trip_ms: tripCount === 0 ? 0 : milliseconds(sumOf(trips, 'sum') / tripCount),
  }
}

const sumOf = (series: readonly Series[], member: 'count' | 'sum'): number =>
  series.reduce((sum, each) => sum + each[member], 0)

const slowestOf = (measured: Measurements): Status['slow_statements'] =>
  [...seriesOf(measured, 'tessera.db.round_trip.duration')]
    .sort((a, b) => b.sum - a.sum)
    .slice(0, shapesMax)
    .map(({ attributes, count, sum, max }) => ({
      statements: String(attributes.statements ?? '')
        .split(' ')
        .filter((name) => name !== ''),
      count,
      mean_ms: milliseconds(sum / count),
      max_ms: milliseconds(max),
    }))

/** Converts seconds to milliseconds with one decimal. */
const milliseconds = (seconds: number): number => Math.round(seconds * 10_000) / 10

async function masterKeysOf(
  config: Config,
  rows: readonly store.MasterKeyRow[],
): Promise<Status['keys']['master']> {
  const current = config.MASTER_KEYS === undefined ? undefined : (await masterKeys(config)).current.kid
  return rows.map((row) => ({ ...row, is_current: row.kid === current }))
}

async function signingKeysOf(config: Config): Promise<Status['keys']['signing']> {
  const { current, verifying } = await keyRing(config)
  return [...verifying.keys()].map((kid) => ({ kid, is_current: kid === current.kid }))
}
