/** Asks Postgres which followers of a list may follow it no longer: many of them in one statement. */
import type { Asker } from '../../kernel/context.ts'
import { callerSql } from '../../kernel/db/caller.ts'
import { openDatabase } from '../../kernel/db/client.ts'
import { graceMs, timeoutMs } from '../../kernel/db/entering.ts'
import { join, sql } from '../../kernel/db/sql.ts'
import type { Config } from '../../kernel/env.ts'
import { tenantOf } from '../../kernel/http/tenant-locator.ts'
import { standingText } from '../../kernel/standing.ts'
import { type About, standingOf } from './list.ts'

/** Why a stream ends, by the SQLSTATE of the entry. Others: the list is another one now. */
const codes: ReadonlyMap<string, string> = new Map([
  ['TS401', 'invalid_credentials'],
  ['TS403', 'forbidden'],
  ['TS404', 'not_found'],
])

/** How many people one statement checks: each takes some 100 µs. */
const atOnce = 500

/**
 * Returns the followers who may not follow any more, each with the code that ends the stream. Keys and
 * callers without credentials are checked whenever the list is asked for.
 */
export async function refusedFollowers<Follower extends { asker: Asker }>(
  config: Config,
  { url, site, audience }: About,
  followers: readonly Follower[],
): Promise<{ follower: Follower; code: string }[]> {
  // Tabs of one person are one caller.
  const callers = new Map(
    followers.flatMap(({ asker: { caller } }) => (caller ? [[JSON.stringify(caller), caller] as const] : [])),
  )
  const standing = standingOf(audience)
  const { host, slug } = tenantOf(new URL(url), config)
  const all = [...callers]
  const states = new Map<string | undefined, string>()
  for (let from = 0; from < all.length; from += atOnce) {
    const some = all.slice(from, from + atOnce)
    const sent = join(some.map(([, caller]) => callerSql(caller)))
    const { refused } = await openDatabase(config).batch(
      {
        refused: sql<{ place: number; state: string }>`
          select place, state from public.refused_followers(${host}, ${slug}, ${site.id},
            ${standing && standingText(standing)}, array[${sent}])`,
      },
      timeoutMs.read + graceMs,
    )
    for (const { place, state } of refused.all) states.set(some[place]?.[0], state)
  }
  return followers.flatMap((follower) => {
    const state = states.get(JSON.stringify(follower.asker.caller))
    return state === undefined ? [] : [{ follower, code: codes.get(state) ?? 'renew' }]
  })
}
