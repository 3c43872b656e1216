/** Entering a site: looking up row by row decides as one statement would that joins everything. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { permissions } from '../../src/kernel/permissions.ts'
import { createSite, startApp, type TestApp, type User } from '../support/app.ts'
import { enterByJoin, outcomeAt } from '../support/entry-model.ts'
import { runs } from '../support/runs.ts'
import { seed } from '../support/seed.ts'

let app: TestApp
let user: User
let site: { id: number; organization: number; elsewhere: number; version: number }

beforeAll(async () => {
  app = await startApp()
  await createSite(app, 'desk')
  await createSite(app, 'foreign')
  user = await app.user('anybody')
  const [row] = await app.sql<typeof site>(
    `select d.id::float8 as id, d.organization_id::float8 as organization, f.organization_id::float8 as elsewhere,
            d.catalog_version::float8 as version
       from sites d, sites f where d.slug = 'desk' and f.slug = 'foreign'`,
  )
  site = row as typeof site
  await app.sql(enterByJoin)
  await app.sql(outcomeAt)
})

/** Nearly always, so that many standings have nothing that refuses them. */
const usually = <Value>(value: Value, ...others: Value[]) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: fc.constantFrom(...others) })
const session = '00000000-0000-4000-8000-000000000001'
const reached = { terms: { limit: 1 }, past: { limit: 1, month: '2020-01-01' } }

/** All that decides whether a caller enters a site, as public.outcome_at reads it. */
const someStanding = () =>
  fc.record({
    active: usually(true, false),
    siteFactor: usually(false, true),
    organizationFactor: usually(false, true),
    exceeded: usually<unknown>(
      null,
      { requests: reached.terms },
      { records: reached.terms },
      { requests: reached.past },
    ),
    limit: usually<number | null>(null, 300),
    domainOf: usually<string | null>(null, 'desk', 'foreign'),
    verified: fc.boolean(),
    userActive: usually(true, false),
    superuser: usually(false, true),
    role: fc.constantFrom('owner', 'admin', 'member', null, null),
    roleElsewhere: usually<string | null>(null, 'owner'),
    permissions: fc.option(fc.subarray([...permissions], { maxLength: 4 })),
    roles: usually([], ['clerk']),
    known: usually(true, false),
    session: usually('fresh', 'none', 'stale', 'revoked'),
    readOnly: usually('off', 'on'),
    host: fc.constantFrom('host.example', 'other.example', null),
    slug: usually<string | null>('desk', 'foreign', 'nowhere', null),
    asked: usually<string | null>('access_site', null, ...permissions),
    caller: fc.record({
      id: usually<number | null>(Number(user.id), null),
      generation: usually(1, 2),
      organization_id: usually<number | null>(null, site.organization, site.elsewhere),
      session: usually<string | null>(session, null),
      request_id: fc.constant('request'),
    }),
    visit: fc.record({
      site_id: usually<number | null>(site.id, null, site.id + 1000),
      catalog_version: usually<number | null>(site.version, null, site.version + 1),
      mode: fc.constantFrom('brief', 'brief', 'read', 'write', 'add', 'invoke', 'schema'),
      timeout_ms: fc.constantFrom(1_000, 5_000),
    }),
  })

interface Outcome {
  standing: unknown
  now: string
  model: string
}

/** The triggers of the tables do not run. */
const outcomesOf = (standings: readonly unknown[]) =>
  app.sql<Outcome>(
    `with _ as materialized (select set_config('session_replication_role', 'replica', true))
     select p as standing, public.outcome_at('enter', $2, $3, p) as now,
            public.outcome_at('enter_by_join', $2, $3, p) as model
       from _ cross join jsonb_array_elements($1::jsonb) p`,
    [JSON.stringify(standings), user.id, site.id],
  )

const count = runs(2_000, 10_000)

describe('the entry into a site', () => {
  it('refuses and admits random callers as a single statement does, with the same effects', async () => {
    const standings = fc.sample(someStanding(), { seed, numRuns: count })
    const asked: Outcome[] = []
    // What a transaction undoes, Postgres keeps until the transaction ends.
    while (asked.length < standings.length)
      asked.push(...(await outcomesOf(standings.slice(asked.length, asked.length + 100))))
    expect(asked).toHaveLength(count)
    expect(asked.filter(({ now, model }) => now !== model)).toEqual([])
    const kinds = new Set(asked.map(({ now }) => (now.startsWith('(') ? 'in' : now.slice(0, 5))))
    const refusals = ['TS401', 'TS403', 'TS404', 'TS408', 'TS409', 'TS433', 'TS434']
    // A change of the schema in a transaction that only reads.
    expect([...kinds].sort()).toEqual(['25006', ...refusals, 'in'])
    expect(asked.filter(({ now }) => now.startsWith('(')).length).toBeGreaterThan(count / 10)
  })
})
