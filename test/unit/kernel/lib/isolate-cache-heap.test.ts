/** The estimates of the caches, compared with the heap: each is filled through the module that owns it. */
import { setImmediate } from 'node:timers/promises'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { newMasterKeys } from '../../../../dev/master-keys.ts'
import { newSigningKeys } from '../../../../dev/signing-keys.ts'
import { keepSites } from '../../../../src/data/across-sites/sites.ts'
import { keepCatalog, keptCatalog } from '../../../../src/data/catalog/catalog-cache.ts'
import { guestCatalog } from '../../../../src/data/catalog/guests.ts'
import { throttle } from '../../../../src/kernel/access/throttle.ts'
import { issueTokens, verifyAccessToken } from '../../../../src/kernel/access/tokens.ts'
import { DatabaseFailure, sqlstates } from '../../../../src/kernel/db/failures.ts'
import { withKeptPlan } from '../../../../src/kernel/db/kept-plans.ts'
import { knownScopes, learnScopes } from '../../../../src/kernel/db/known-scopes.ts'
import { learnStanding } from '../../../../src/kernel/db/known-standing.ts'
import { inOneCall } from '../../../../src/kernel/db/one-call.ts'
import {
  type CacheName,
  type CacheUse,
  cacheBytes,
  cacheUses,
} from '../../../../src/kernel/lib/isolate-cache.ts'
import { noteBranding } from '../../../../src/kernel/page/branding.ts'
import { patternOf } from '../../../../src/runtime/functions/conditions/texts.ts'
import { startEvaluation } from '../../../../src/runtime/functions/conditions/work.ts'
import { conditionsProblem } from '../../../../src/runtime/functions/filter.ts'
import { newDataKey, unwrap } from '../../../../src/secrets/encryption/data-keys.ts'
import { readSiteKey } from '../../../../src/secrets/encryption/site-keys.ts'
import { problemsWith } from '../../../../src/secrets/types/values.ts'

const names = ['id', 'code', 'title', 'city', 'amount', 'stock', 'is_active', 'created_at']
const tableNames = ['customers', 'products', 'orders', 'lines', 'notes']
/** What a guest of each group may do. */
const access = {
  rules: Array.from({ length: 4 }, (_, index) => ({
    who: `group:${index}`,
    can: ['read', 'create', 'update', 'history'],
    fields: names.slice(0, 4 + index),
  })),
}

/** Returns the source of an app of five tables with eight fields, as one of many sites has it. */
const sourceOf = (siteId: number, rules = {}) => ({
  site: { siteId, catalogVersion: 1 },
  json: JSON.stringify({
    app: { id: 1, name: `App ${siteId}`, slug: 'shop' },
    datasources: [{ id: 1, name: 'Main', slug: 'main', provider_type: 'internal' }],
    tables: tableNames.map((name, index) => ({
      id: index + 1,
      name,
      json_schema: {
        fields: names.map((field) => ({ name: field, type: field === 'id' ? 'integer' : 'string' })),
        primaryKey: ['id'],
        foreignKeys: [],
        indexes: [],
        ...rules,
      },
      schema_hash: 'a'.repeat(64),
      physical_table_name: `shop_${name}`,
      is_materialized: true,
      datasource: { slug: 'main', providerType: 'internal' },
      source: null,
    })),
    dependents: [],
    away: [],
    events: [],
  }),
})

const signingKeys = await newSigningKeys()
const config = {
  DATABASE_URL: 'postgresql://service@127.0.0.1/tessera',
  TOKEN_ISSUER: 'tessera',
  SIGNING_KEYS: signingKeys,
  ACCESS_TOKEN_SECONDS: 900,
  REFRESH_TOKEN_SECONDS: 900,
  RATE_LIMIT_SIGNED_IN: 600,
  RATE_LIMIT_SCALE: 1,
}
const env = { RATE_LIMITER: { getByName: () => ({ lease: async () => ({ granted: 9, endsInMs: 60_000 }) }) } }
/** The parts of a request that the caches use. */
const request = (index: number) =>
  ({
    config,
    env,
    tenant: { host: `site-${index % 100}.example`, slug: `site-${index % 100}`, prefix: null },
    caller: { userId: index },
    viewAs: null,
    run: null,
    apiKeyHash: `hash of the key number ${index}`.padEnd(64, '0'),
  }) as never
const failure = (detail: object, code = 'TS403') =>
  new DatabaseFailure({ code, detail: JSON.stringify(detail) } as never)

/** Takes what one more guest sees of an app, who is in one of four groups. */
function showToGuest(key: string, siteId: number, index: number): void {
  const catalog = keptCatalog(key) ?? keepCatalog(key, sourceOf(siteId, { access }))
  if (catalog.app === null) throw new Error('There is an app.')
  guestCatalog(catalog, {
    signedIn: true,
    user: true,
    groups: [String(index % 4)],
    permissions: [String(index)],
    roles: [],
  })
}

const masterKeys = newMasterKeys()
const siteKeys = { getByName: () => ({ read: async () => new Uint8Array(32) }) }

/** The rest of a statement of a usual length that names the schema of a site. */
const statementEnd = (siteId: number) =>
  `from "site_${siteId}"."books" where ${'"title" = %1$L and '.repeat(80)}`

type Fill = (index: number) => unknown

/** How each cache gets one more entry. */
const fillers: Partial<Record<CacheName, Fill>> = {
  catalogs: (index) => keepCatalog(`site-${index} shop`, sourceOf(index)),
  guest_catalogs: (index) => showToGuest(`shop ${Math.floor(index / 20)}`, Math.floor(index / 20), index),
  standings: (index) =>
    learnStanding(
      request(index),
      failure({ signed_in: true, user: true, groups: ['readers', `g${index}`], permissions: [], roles: [] }),
    ),
  organization_sites: (index) =>
    keepSites(
      { config } as never,
      { organization: `organization-${index}`, sites: undefined, environment: undefined },
      Array.from({ length: 20 }, (_, id) => ({
        id,
        slug: `site-${id}-${index}`,
        isActive: true,
        catalogVersion: id,
      })),
    ),
  scopes: (index) =>
    learnScopes(
      request(index),
      failure({
        revision: 1,
        scopes: [{ app: `app-${index}`, tables: ['books', 'loans'], can: ['read', 'create'] }],
      }),
    ),
  scopes_of_apps: (index) => knownScopes({ run: { app: `app-${index}` } } as never),
  time_limits: (index) =>
    inOneCall(
      { config, tenant: { host: `h${index}.example`, slug: null } } as never,
      'read',
      async (isOneCall) => {
        if (isOneCall) throw failure({}, sqlstates.ownTimeLimit)
      },
    ).catch(() => undefined),
  plans: async (index) => {
    const keeps = { siteId: index % 100, catalogVersion: 1 }
    const templates = [`rselect ${index} ${statementEnd(index % 100)}`]
    // From the third use in a minute, in which nothing else is read.
    const { now } = Date
    Date.now = () => index * 120_000
    for (let times = 0; times < 3; times++)
      await withKeptPlan(keeps, { templates, values: ['1', '2'], largest: null }, async () => [])
    Date.now = now
  },
  tokens: async (index) =>
    verifyAccessToken(
      config as never,
      (await issueTokens(config as never, { userId: index, generation: 1 })).access,
    ),
  rate_leases: (index) => throttle(request(index), 'signed-in', `user ${index}`),
  secret_schemas: (index) =>
    problemsWith(
      {
        type: 'object',
        properties: { [`user_${index}`]: { type: 'string', minLength: 2 }, port: { type: 'integer' } },
        required: ['port'],
      },
      { port: 1 },
    ),
  conditions: (index) =>
    conditionsProblem(`event.after.status == "paid" && event.after.amount > ${index} && user != null`),
  patterns: (index) => {
    startEvaluation()
    patternOf(`^[a-z]{3}-${index}(x|y)*$`)
  },
  site_keys: (index) => readSiteKey({ SITE_KEYS: siteKeys as never }, `0b1c-${index}`),
  data_keys: async (index) =>
    unwrap({ MASTER_KEYS: masterKeys }, index, await newDataKey({ MASTER_KEYS: masterKeys }, index, 1, {})),
  branding: (index) =>
    noteBranding({ config, tenant: { host: `shop-${index}.example`, slug: 'shop', prefix: null } } as never, {
      name: `Shop ${index}`,
      color: '#123456',
      logo: null,
    }),
}

/** Caches of a few values, or whose values take memory outside the heap. */
const small = new Set<CacheName>([
  'accepted_keys',
  'known_entries',
  'plan_uses',
  'provider_documents',
  'provider_metadata',
  'sealing_keys',
  'index_advice',
  'long_lists',
  'time_zones',
])

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Returns the bytes that are in use when no other work is due, and another collection frees no more. */
async function heap(): Promise<number> {
  for (let last = Number.POSITIVE_INFINITY; ; ) {
    await setImmediate()
    collect()
    const used = getHeapStatistics().used_heap_size
    if (last - used < 10_000) return used
    last = used
  }
}

function useOf(name: CacheName): CacheUse {
  const [, use] = cacheUses().find(([each]) => each === name) ?? []
  if (!use) throw new Error(`${name} is not loaded.`)
  return use
}
const total = () => cacheUses().reduce((sum, [, { bytes }]) => sum + bytes, 0)

describe('the caches of an isolate', () => {
  it('are filled here, or take at most 6 MB together', () => {
    const names = Object.keys(cacheBytes) as CacheName[]
    const notFilled = names.filter((name) => !(name in fillers) && name !== 'catalog_sources')
    expect(new Set(notFilled)).toEqual(small)
    const bytes = notFilled.reduce((sum, name) => sum + cacheBytes[name], 0)
    expect(bytes).toBeLessThanOrEqual(6 * 1024 * 1024)
  })

  it.each(Object.entries(fillers) as [CacheName, Fill][])(
    'take about as many bytes as they count: %s, filled until it evicts',
    async (name, fill) => {
      await fill(1_000_000)
      const [before, counted] = [await heap(), total()]
      const { evictions } = useOf(name)
      for (let index = 0; index < 50_000 && useOf(name).evictions === evictions; index++) await fill(index)
      const [took, added] = [(await heap()) - before, total() - counted]
      expect(useOf(name).bytes).toBeGreaterThan(0.9 * cacheBytes[name])
      expect(useOf(name).bytes).toBeLessThanOrEqual(cacheBytes[name])
      expect(took / added).toBeGreaterThan(1 / 1.5)
      expect(took / added).toBeLessThan(1.5)
    },
  )

  it('keep what 50 guests see of 10 apps of a site within a quarter, and evict one by one', async () => {
    const before = useOf('guest_catalogs').evictions
    const evicted = () => useOf('guest_catalogs').evictions - before
    const heapBefore = await heap()
    let most = 0
    for (let app = 0; app < 10; app++)
      for (let guest = 0; guest < 50; guest++) {
        const last = evicted()
        showToGuest(`site shop-${app}`, 2_000_000, guest)
        most = Math.max(most, evicted() - last)
      }
    expect(evicted()).toBeGreaterThan(200)
    expect(most).toBeLessThanOrEqual(10)
    expect(useOf('guest_catalogs').bytes).toBeLessThanOrEqual(cacheBytes.guest_catalogs)
    expect((await heap()) - heapBefore).toBeLessThan((1.5 * cacheBytes.guest_catalogs) / 4)
  })
})
