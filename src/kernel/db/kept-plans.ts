/**
 * Chooses the reads that the sessions of Postgres keep prepared, so that each session plans them once: those
 * that this isolate has sent three times in a minute, and that are at least a 32nd part of all. So with many
 * sites nothing is prepared that others drop before its next use. All sites share a session, so Postgres
 * compares the text of what it keeps at each use (migrations/functions/tessera/keep_plan.sql).
 */
import { IsolateCache } from '../lib/isolate-cache.ts'
import { sha256 } from '../lib/sha256.ts'
import { record } from '../telemetry/metrics.ts'
import type { Row } from './batch.ts'
import type { OneCall } from './database.ts'
import { DatabaseFailure, sqlstates } from './failures.ts'
import type { Rendered } from './run.ts'

/** Uses in a minute, which is counted since the epoch, and in the one before it. */
interface Counts {
  minute: number
  uses: number
  before: number
}

/** A statement without its values. */
interface Shape extends Counts {
  /** What is sent instead. Undefined: it was not frequent yet. Null: it cannot be prepared. */
  plan: readonly [execute: string, prepare: string] | null | undefined
  /** About how many bytes it takes. */
  bytes: number
}

const minuteMs = 60_000
const usesMin = 3
/** Of so many parts of all reads, at least one: a session keeps 16 plans, and would find half of these. */
const partsMax = 32
/** The longest text of a statement that is kept. */
const textMax = 8_000

/** All reads that could be kept. */
const reads: Counts = { minute: 0, uses: 0, before: 0 }

/** By site, version of its catalog, and statement. */
const shapes = new IsolateCache<Shape>('plans', { bytesOf: ({ bytes }) => bytes })

/**
 * The last uses of a site, and how many of them found that the session had not prepared the statement. If
 * more than half did, nothing of the site is kept until `pausedUntil`. A site with too many statements
 * reaches the end of its sample before those whose plans it drops.
 */
interface Uses {
  all: number
  missing: number
  pausedUntil: number
}
const usesOf = new IsolateCache<Uses>('plan_uses', { bytesOf: () => 100 })
const sample = 200
const pauseMs = 600_000

/**
 * Statements whose values may not be parameters: the same value in two places, such as the list of columns
 * and `group by`, would be two expressions.
 */
const needsValues = /\bdistinct on\b|\bgroup by\b[^)]*%\d/
/** What Postgres says about others of this kind. */
const refusals = /^(42|0A)/
/** The plan may be bad for these values, so that the next use is planned for its own. */
const isSlow = ({ sqlstate }: DatabaseFailure): boolean => sqlstate === sqlstates.queryCanceled

/**
 * Sends a statement so that the session keeps its plan, if it is frequent, otherwise as it is. `keeps`: see
 * OneCall. A statement that cannot be prepared is sent again as it is. Throws the errors of `send`.
 */
export async function withKeptPlan(
  keeps: OneCall['keeps'],
  rendered: Rendered,
  send: (rendered: Rendered) => Promise<Row[]>,
): Promise<Row[]> {
  if (keeps === null) return send(rendered)
  const uses = usesOf.get(String(keeps.siteId))
  const shape = uses && Date.now() < uses.pausedUntil ? undefined : frequentShape(keeps, rendered)
  if (!shape?.plan) return send(rendered)
  try {
    const rows = await send({ ...rendered, templates: shape.plan })
    // A row without a number says that the session had not prepared it.
    count(String(keeps.siteId), uses, rows[0]?.n === null && rows[0].answer !== null)
    return rows
  } catch (error) {
    if (!(error instanceof DatabaseFailure)) throw error
    const isRefused = refusals.test(error.sqlstate)
    if (isRefused || isSlow(error)) shape.plan = null
    if (!isRefused) throw error
    return send(rendered)
  }
}

/** Returns the shape of a statement that is to be kept, with its plan. */
function frequentShape(
  { siteId, catalogVersion }: NonNullable<OneCall['keeps']>,
  { templates, values, largest }: Rendered,
): Shape | undefined {
  const [template = '', ...others] = templates
  // Nobody but the site can prepare a text that names its schema, nor execute it.
  const isOwn = others.length === 0 && largest === null && template.includes(`"site_${siteId}".`)
  if (!isOwn || template.length > textMax) return undefined
  const key = `${siteId} ${catalogVersion} ${template}`
  const shape = shapes.get(key) ?? newShape(key, String(siteId))
  const all = countUse(reads)
  if (countUse(shape) < Math.max(usesMin, all / partsMax)) return undefined
  if (shape.plan === undefined)
    shape.plan = needsValues.test(template) ? null : planOf(key, template, values.length)
  return shape
}

function newShape(key: string, site: string): Shape {
  const shape = { minute: 0, uses: 0, before: 0, plan: undefined, bytes: key.length + 400 }
  shapes.set(key, shape, site)
  return shape
}

/** Counts a use. Returns the uses of this minute or of the last one, whichever has more. */
function countUse(counts: Counts): number {
  const minute = Math.floor(Date.now() / minuteMs)
  if (minute !== counts.minute) {
    counts.before = minute === counts.minute + 1 ? counts.uses : 0
    counts.uses = 0
    counts.minute = minute
  }
  counts.uses++
  return Math.max(counts.uses, counts.before)
}

/** The name is 128 bits of a hash, so that no two statements have the same. */
function planOf(key: string, template: string, valueCount: number): [execute: string, prepare: string] {
  const name = `s_${sha256(key).slice(0, 32)}`
  const text = template.slice(1).replaceAll(/%%|%(\d+)\$L/g, (_, place) => (place ? `$${place}` : '%'))
  const values = Array.from({ length: valueCount }, (_, index) => `%${index + 1}$L`)
  const list = valueCount > 0 ? `(${values.join()})` : ''
  return [`${template.slice(0, 1)}execute ${name}${list}`, `xprepare ${name} as ${text}`]
}

function count(site: string, known: Uses | undefined, isMissing: boolean): void {
  record('tessera.db.kept_plans', { found: !isMissing }, 1)
  const uses = known ?? { all: 0, missing: 0, pausedUntil: 0 }
  if (!known) usesOf.set(site, uses)
  uses.all++
  if (isMissing) uses.missing++
  if (uses.all < sample) return
  if (uses.missing > sample / 2) uses.pausedUntil = Date.now() + pauseMs
  Object.assign(uses, { all: 0, missing: 0 })
}
