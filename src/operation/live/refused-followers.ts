/** Asks Postgres which followers of a list may follow it no longer: many of them in one statement. */
import type { Asker, Caller } from '../../kernel/context.ts'
import { callerSql } from '../../kernel/db/caller.ts'
import { openDatabase } from '../../kernel/db/client.ts'
import { graceMs, timeoutMs } from '../../kernel/db/entering.ts'
import { join, sql } from '../../kernel/db/sql.ts'
import type { Config } from '../../kernel/env.ts'
import { tenantOf } from '../../kernel/http/tenant-locator.ts'
import type { Standing } from '../../kernel/standing.ts'
import { standingText } from '../../kernel/standing.ts'
import type { About } from './list.ts'

/** Why a stream ends, by the SQLSTATE of the entry. Others: the list is another one now. */
const codes: ReadonlyMap<string, string> = new Map([
  ['TS401', 'invalid_credentials'],
  ['TS403', 'forbidden'],
  ['TS404', 'not_found'],
])

/** How many people one statement checks: each takes some 100 µs. */
const atOnce = 500

/**
 * Returns the positions of the followers who may not follow any more, each with the code that ends the
 * stream. Keys and callers without credentials are checked whenever the list is asked for.
 */
export async function refusedFollowers(
  config: Config,
  { url, site, audience }: About,
  askers: readonly Asker[],
): Promise<{ position: number; code: string }[]> {
  const signedIn = askers.flatMap(({ caller }, position) => (caller ? [{ caller, position }] : []))
  const [standing] = JSON.parse(audience) as [Standing | null]
  if (signedIn.length === 0) return []
  const { host, slug } = tenantOf(new URL(url), config)
  // Tabs of one person are one caller.
  const texts = [...new Set(signedIn.map(({ caller }) => JSON.stringify(caller)))]
  const states = new Map<string | undefined, string>()
  for (let from = 0; from < texts.length; from += atOnce) {
    const some = texts.slice(from, from + atOnce)
    const callers = some.map((text) => callerSql(JSON.parse(text) as Caller))
    const { refused } = await openDatabase(config).batch(
      {
        refused: sql<{ place: number; state: string }>`
          select place, state from public.refused_followers(${host}, ${slug}, ${site.id},
            ${standing ? standingText(standing) : null}, array[${join(callers)}])`,
      },
      timeoutMs.read + graceMs,
    )
    for (const { place, state } of refused.all) states.set(some[place], state)
  }
  return signedIn.flatMap(({ caller, position }) => {
    const state = states.get(JSON.stringify(caller))
    return state === undefined ? [] : [{ position, code: codes.get(state) ?? 'renew' }]
  })
}
