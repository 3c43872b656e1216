/** GET /api/cloud/organizations/{organization}/records/: one list of the records of all sites. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, insist, type Site, startApp, type TestApp, type User } from '../support/app.ts'
import { addTables } from '../support/fixtures.ts'
import { roundTrips } from '../support/secrets.ts'

type Answer = Awaited<ReturnType<TestApp['request']>>

let app: TestApp
let owner: User
let admin: User
let member: User

const visits = (amount = 'number') => ({
  name: 'visits',
  schema: {
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'day', type: 'date' },
      { name: 'amount', type: amount },
      { name: 'note', type: 'string' },
    ],
    primaryKey: 'id',
  },
})

/** Adds a site to the organization of the first one. */
async function addSite(slug: string, resources: readonly object[]): Promise<Site> {
  const path = '/api/cloud/organizations/north-org/sites/'
  const made = await app.request('POST', path, { token: owner.token, body: { name: slug, slug } })
  const site = { slug, api: `/sites/${slug}/api`, schema: made.body.schema_name, owner }
  if (resources.length === 0) return site
  await insist(() => app.request('POST', `${site.api}/apps/`, { token: owner.token, body: { name: 'shop' } }))
  await addTables(app, site, resources)
  return site
}

const fill = async (slug: string, rows: readonly object[]) =>
  expect(
    (
      await app.request('POST', `/sites/${slug}/api/apps/shop/datatables/visits/data/`, {
        token: owner.token,
        body: rows,
      })
    ).status,
  ).toBe(201)

const ask = (query: string, { token }: { token?: string } = owner): Promise<Answer> =>
  app.request('GET', `/api/cloud/organizations/north-org/records/?${query}`, token ? { token } : {})
const visited = (query = '', user?: User) => ask(`app=shop&table=visits&${query}`, user)
const idsOf = ({ body }: Answer) =>
  body.data.map(({ site, record }: { site: string; record: { id: number } }) => `${site} ${record.id}`)

const entries = () =>
  app.sql<{ site: string }>(
    `select s.slug as site, e.actor, e.action, e.object from audit_entries e join sites s on s.id = e.site_id
      where e.kind = 'records_read' order by e.id`,
  )

/** Returns the schema of a site. */
const schemas = new Map<string, string>()

beforeAll(async () => {
  app = await startApp()
  const north = await createSite(app, 'north')
  schemas.set('north', north.schema)
  owner = north.owner
  ;[admin, member] = (await Promise.all(['admin', 'member'].map((name) => app.user(name)))) as [User, User]
  for (const [user, role] of [
    [admin, 'admin'],
    [member, 'member'],
  ] as const)
    await app.sql(
      `insert into memberships (organization_id, user_id, role)
       select id, $1, $2 from organizations where slug = 'north-org'`,
      [user.id, role],
    )
  await insist(() =>
    app.request('POST', `${north.api}/apps/`, { token: owner.token, body: { name: 'shop' } }),
  )
  await addTables(app, north, [visits()])
  for (const slug of ['south', 'west']) schemas.set(slug, (await addSite(slug, [visits()])).schema)
  await fill('north', [
    { id: 1, day: '2026-01-05', amount: 10.5, note: 'Ü' },
    { id: 2, day: '2026-01-06', amount: null, note: 'a' },
    { id: 3, day: '2026-01-05', amount: JSON.rawJSON('9007199254740993'), note: '\u{1F600}' },
  ])
  await fill('south', [
    { id: 1, day: '2026-01-05', amount: 10.5, note: '\uFFFD' },
    { id: 2, day: null, amount: -1, note: 'b' },
  ])
})

describe('the records of all sites of an organization', () => {
  it('are refused to everybody but its owners and admins', async () => {
    expect((await ask('app=shop&table=visits', {})).status).toBe(401)
    for (const user of [member, await app.user('stranger')])
      expect(await visited('', user)).toMatchObject({
        status: 403,
        body: { detail: 'You do not have permission to perform this action.' },
      })
    const other = await createSite(app, 'elsewhere')
    expect((await visited('', other.owner)).status).toBe(403)
    expect(
      (await app.request('GET', '/api/cloud/organizations/none/records/?app=a&table=b', owner)).body,
    ).toEqual({ detail: 'Not found.', hint: 'There is no organization "none".', code: 'not_found' })
    // The refusal comes before any error that tells of fields.
    expect((await visited('nothing=1', member)).status).toBe(403)
  })

  it.each([
    ['table=visits', { app: ['This parameter is required.'] }],
    [
      'app=shop&table=visits&sites=north,nowhere',
      { sites: ['There is no such site "nowhere" in the organization.'] },
    ],
    [
      'app=shop&table=visits&sites=elsewhere',
      { sites: ['There is no such site "elsewhere" in the organization.'] },
    ],
    [
      'app=shop&table=visits&populate=*',
      { populate: ['Not possible over several sites. Ask the site of the record.'] },
    ],
    [
      'app=shop&table=visits&page=2',
      {
        page: [
          'Pages of several sites follow each other: send after= with the cursor of the page before, meta.next.',
        ],
      },
    ],
    [
      'app=shop&table=visits&_aggregate=count(*)&_group_by=day',
      {
        _group_by: [
          'Records of several sites cannot be grouped. Send _aggregate alone: it has the results of each site.',
        ],
      },
    ],
    ['app=%00&table=visits', expect.anything()],
    ['app=shop&table=%00', expect.anything()],
    ['app=shop&table=visits&sites=%00', expect.anything()],
    ['app=shop&table=visits&environment=%00', expect.anything()],
    ['app=shop&table=visits&day=soon', { day: [expect.stringContaining('"soon"')] }],
    ['app=shop&table=visits&after=x', { after: [expect.stringContaining('Not a cursor of this list.')] }],
    ['app=shop&table=visits&note__matches=(?P%3Ca%3E', expect.anything()],
  ])('are 400 for %s', async (query, details) => {
    expect(await ask(query)).toMatchObject({
      status: 400,
      body: { error: 'Validation failed', details },
    })
  })

  it('are one list in the order of the query, each with its site, in one round trip', async () => {
    await visited()
    const answer = await visited('_sort=day,-amount')
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: [
          { site: 'north', record: { id: 3, day: '2026-01-05', note: '\u{1F600}' } },
          { site: 'north', record: { id: 1, day: '2026-01-05', amount: 10.5, note: 'Ü' } },
          { site: 'south', record: { id: 1, day: '2026-01-05', amount: 10.5, note: '\uFFFD' } },
          { site: 'north', record: { id: 2, day: '2026-01-06', amount: null, note: 'a' } },
          { site: 'south', record: { id: 2, day: null, amount: -1, note: 'b' } },
        ],
        total: 5,
        meta: { limit: 20, has_more: false, total_is: 'exact', next: null },
        skipped: [],
      },
    })
    expect(answer.text).toContain('"amount":9007199254740993')
    expect(roundTrips(answer)).toBe(1)
    expect(roundTrips(await visited('', admin))).toBe(1)
  })

  it.each(['note', '-note', 'day', '-day.nullsfirst', 'amount.nullsfirst', '-amount'])(
    'are sorted by %s as in one site',
    async (sort) => {
      const all = await visited(`_sort=${sort}`)
      const name = sort.replace(/^-|\..*/g, '')
      const values = all.body.data.map(({ record }: { record: Record<string, unknown> }) => record[name])
      const texts = all.body.data.map(({ record }: { record: { note: string } }) => record.note)
      const [{ sorted }] = (await app.sql(
        `select json_agg(note order by ${name} ${sort.startsWith('-') ? 'desc' : 'asc'}
           nulls ${sort.endsWith('first') ? 'first' : 'last'}, id, site) as sorted
           from (select 1 as site, * from ${schemas.get('north')}.shop_visits
                 union all select 2, * from ${schemas.get('south')}.shop_visits) t`,
      )) as [{ sorted: string[] }]
      expect([texts, values.length]).toEqual([sorted, 5])
    },
  )

  it('are each on exactly one page, also those with equal values and keys', async () => {
    for (const sort of ['id', '-id', 'day', '-amount', 'amount.nullsfirst', 'note', '-day.nullsfirst,note']) {
      const whole = idsOf(await visited(`_sort=${sort}`))
      for (const size of [1, 2, 3]) {
        const paged: string[] = []
        let next: string | null = ''
        while (next !== null) {
          const page: Answer = await visited(`_sort=${sort}&page_size=${size}&after=${next}`)
          expect(page.status).toBe(200)
          expect(page.body.total).toBe(5)
          paged.push(...idsOf(page))
          next = page.body.meta.next
          expect(page.body.meta.has_more).toBe(next !== null)
        }
        expect(paged).toEqual(whole)
      }
    }
  })

  it('are 422 if the values of a position are too long for a cursor', async () => {
    await fill('west', [
      { id: 1, note: 'x'.repeat(5_000) },
      { id: 2, note: 'y' },
    ])
    expect(await visited('sites=west&_sort=note&page_size=1')).toMatchObject({
      status: 422,
      body: { code: expect.any(String), detail: expect.stringContaining('cursor') },
    })
    await app.request('DELETE', '/sites/west/api/apps/shop/datatables/visits/data/?ids=1,2', {
      token: owner.token,
    })
  })

  it('refuse the cursor of another query, caller or organization', async () => {
    const { next } = (await visited('page_size=1')).body.meta
    expect((await visited(`page_size=2&after=${next}`)).status).toBe(200)
    expect((await visited(`_sort=day&after=${next}`)).status).toBe(400)
    expect((await visited(`after=${next}`, admin)).status).toBe(400)
  })

  it('are filtered and counted as in one site', async () => {
    expect(idsOf(await visited('amount__gt=0&day=2026-01-05&_sort=id'))).toEqual([
      'north 1',
      'south 1',
      'north 3',
    ])
    expect((await visited('_count=true')).body).toEqual({
      data: [],
      total: 5,
      meta: { limit: 20, has_more: false, total_is: 'exact', next: null },
      skipped: [],
    })
    expect((await visited('_total=none')).body).toMatchObject({ total: null, meta: { total_is: 'none' } })
    expect((await visited('sites=south')).body.total).toBe(2)
    expect((await visited('environment=preview')).body).toMatchObject({ data: [], total: 0, skipped: [] })
  })

  it('have aggregates of each site, and of all where they follow from these', async () => {
    const functions = 'count(*),sum(amount),max(day),min(note),avg(id),count(distinct id) as ids'
    const answer = await visited(`_aggregate=${encodeURIComponent(functions)}`)
    expect(answer.body).toMatchObject({
      data: [
        { site: 'north', aggregates: { count: 3, max_day: '2026-01-06', min_note: 'a', avg_id: 2, ids: 3 } },
        { site: 'south', aggregates: { count: 2, sum_amount: 9.5, max_day: '2026-01-05', min_note: 'b' } },
        { site: 'west', aggregates: { count: 0, sum_amount: null, max_day: null } },
      ],
      skipped: [],
    })
    expect(Object.keys(answer.body.aggregates)).toEqual(['count', 'sum_amount', 'max_day', 'min_note'])
    expect(answer.body.aggregates).toMatchObject({ count: 5, max_day: '2026-01-06', min_note: 'a' })
    expect(answer.text).toContain('"sum_amount":9007199254741013.0')
    expect(roundTrips(answer)).toBe(1)
  })

  it('are in the audit of each site that was read, which names the table', async () => {
    const before = await entries()
    await visited('sites=north,south')
    const after = await entries()
    expect(after.slice(before.length)).toEqual(
      ['north', 'south'].map((site) => ({
        site,
        actor: owner.username,
        action: 'create',
        object: 'shop/visits',
      })),
    )
  })
})
