/** `npm run admin -- restore-site` and `replace-site`: dev/restore-site.ts for the command line. */
import { setTimeout as wait } from 'node:timers/promises'
import { requireVariables } from '../src/kernel/env.ts'
import { onConnection } from './connection.ts'
import { ownerDatabaseUrl } from './owner-database.ts'
import {
  beginRestore,
  type Comparison,
  compareSite,
  type Query,
  replaceSite,
  stateOfRestore,
} from './restore-site.ts'

/** The options of both commands. */
export interface SiteOptions {
  from?: string | undefined
  'service-url'?: string | undefined
  as?: string | undefined
  by?: string | undefined
  'dry-run'?: boolean | undefined
}

const pollMs = 2_000

const queryOn = async <Result>(url: string, work: (query: Query) => Promise<Result>): Promise<Result> =>
  onConnection(url, (client) =>
    work(
      async <Row>(text: string, values: unknown[] = []) => (await client.query(text, values)).rows as Row[],
    ),
  )

/**
 * Shows what a restore would bring back, and, unless it is a dry run, creates the site next to the current
 * one.
 */
export async function restoreSite(ownerUrl: string, slug: string, options: SiteOptions): Promise<void> {
  const { from, as: target = `${slug}-restored`, by, 'dry-run': isDry = false } = options
  const branchUrl = ownerDatabaseUrl({ OWNER_DATABASE_URL: from })
  if (branchUrl === undefined)
    throw new Error('--from must be the address of the branch, with the role that owns it.')
  await queryOn(ownerUrl, (present) =>
    queryOn(branchUrl, async (branch) => {
      console.log(tableOf(await compareSite({ present, branch }, slug)))
      if (isDry) return
      const { 'service-url': serviceUrl = '' } = options
      if (ownerDatabaseUrl({ OWNER_DATABASE_URL: serviceUrl }) === undefined || by === undefined)
        throw new Error(
          'Add --service-url, the address of the branch with the role of DATABASE_URL, and --by, a ' +
            'superuser.',
        )
      requireVariables(process.env, ['SIGNING_KEYS'])
      const signingKeys = process.env.SIGNING_KEYS?.trim() ?? ''
      const id = await beginRestore({ present, branch }, { slug, target, by, serviceUrl, signingKeys })
      await untilDone(present, id)
      console.log(
        `The site ${target} is as ${slug} was. Compare them; then: npm run admin -- replace-site ` +
          `${slug} ${target}`,
      )
    }),
  )
}

/** Waits until the service has created the site. */
async function untilDone(present: Query, id: string): Promise<void> {
  for (let told = ''; ; await wait(pollMs)) {
    const { state, position, total, error } = await stateOfRestore(present, id)
    if (state === 'done') return
    if (state !== 'running') throw new Error(error ?? `The restore was ${state}.`)
    const line = total === null ? 'The service begins within a minute.' : `${position} of ${total} steps`
    if (line !== told) console.error(line)
    told = line
  }
}

/** Replaces a site by another one; in a dry run only shows both. */
export async function putInPlace(
  ownerUrl: string,
  slug: string,
  target: string,
  { as: aside = `${slug}-replaced`, 'dry-run': isDry = false }: SiteOptions,
): Promise<void> {
  await queryOn(ownerUrl, async (present) => {
    if (isDry)
      return console.log(
        `${target} would be ${slug}, with its domains, permissions, API keys and limits; ${slug} ` +
          `would be ${aside}, suspended.`,
      )
    const moved = await replaceSite(present, slug, target, aside)
    console.log(
      `${target} is ${slug} now: ${moved?.domains} domains, ${moved?.permissions} permissions, ` +
        `${moved?.keys} API keys. ` +
        `The site that was there is ${aside}, and suspended.`,
    )
  })
}

const shown = (count: number | null): string => (count === null ? '-' : String(count))

/** Writes a comparison as lines. */
function tableOf({ tables, secrets, functions }: Comparison): string {
  const rows = [
    ['', 'then', 'now'],
    ...tables.map(({ table, before, now }) => [table, shown(before), shown(now)]),
    ['secrets', shown(secrets.before), shown(secrets.now)],
    ['functions', shown(functions.before), shown(functions.now)],
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
