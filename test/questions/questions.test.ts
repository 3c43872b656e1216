/** Saved questions and dashboards, which users of a site save for everybody with access to it. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, siteIdOf, startApp, type TestApp, type User } from '../support/app.ts'
import { grant } from '../support/fixtures.ts'

let app: TestApp
let site: Site
let other: Site
let reader: User
let writer: User
let stranger: User

const sales = { app: 'shop', table: 'orders', measure: 'sum', field: 'total' }
const asked = { ...sales, group_by: 'ordered_at', bucket: 'month', filters: { state: 'paid' } }

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'questions')
  other = await createSite(app, 'neighbours')
  reader = await app.user('reader')
  writer = await app.user('writer')
  stranger = await app.user('stranger')
  await grant(app, site, reader, ['access_site'])
  await grant(app, site, writer, ['access_site', 'change_site'])
})

interface Asked {
  by?: User | null
  ifMatch?: string
  of?: Site
}

async function ask(
  method: string,
  path: string,
  body?: unknown,
  { by = writer, ifMatch, of = site }: Asked = {},
) {
  const answer = await app.request(method, `${of.api}/${path}`, {
    ...(by ? { token: by.token } : {}),
    ...(body === undefined ? {} : { body }),
    ...(ifMatch === undefined ? {} : { headers: { 'If-Match': ifMatch } }),
  })
  return { status: answer.status, body: answer.body, etag: answer.headers.get('etag') }
}

const precondition = (what: string, name: string) => ({
  error: 'Precondition failed',
  detail: `The ETag of the ${what} "${name}" does not match If-Match: somebody has changed it.`,
  code: 'changed_meanwhile',
})

const stored = (version: number) => ({
  id: expect.any(Number),
  version,
  created_at: expect.stringMatching(/Z$/),
  updated_at: expect.stringMatching(/Z$/),
  created_by: writer.id,
  modified_by: version === 1 ? null : writer.id,
})

describe('saved questions', () => {
  it('return 401 without credentials, 403 without access, and 403 for a write without change_site', async () => {
    expect((await ask('GET', 'questions/', undefined, { by: null })).status).toBe(401)
    expect((await ask('GET', 'questions/', undefined, { by: stranger })).status).toBe(403)
    expect((await ask('POST', 'questions/', { name: 'Mine', ...sales }, { by: reader })).status).toBe(403)
    expect((await ask('GET', 'questions/', undefined, { by: reader })).body.count).toBe(0)
  })

  const required = ['This field is required.']
  it.each<[string, object, unknown]>([
    ['an empty object', {}, { app: required, table: required, name: required, measure: required }],
    [
      'a sum without a field',
      { ...sales, name: 'x', field: null },
      { field: ['Required for every measure except `count`, which has none.'] },
    ],
    [
      'a count with a field',
      { ...sales, name: 'x', measure: 'count' },
      { field: ['Required for every measure except `count`, which has none.'] },
    ],
    [
      'filters that are too long',
      { ...sales, name: 'x', filters: { a: 'x'.repeat(2000) } },
      { filters: ['Must be at most 2000 characters of JSON.'] },
    ],
    ['an unknown member', { ...sales, name: 'x', chart: 'pie' }, { chart: [expect.any(String)] }],
  ])('return 400 for %s', async (_what, body, expected) => {
    const refused = await ask('POST', 'questions/', body)
    expect([refused.status, refused.body]).toEqual([400, expected])
  })

  it('are created, listed by name, read, replaced and deleted', async () => {
    const made = await ask('POST', 'questions/', { name: 'Sales by month', ...asked })
    expect(made).toEqual({
      status: 201,
      body: { name: 'Sales by month', ...asked, ...stored(1) },
      etag: '"1"',
    })
    const { id } = made.body
    const plain = { name: 'Orders', app: 'shop', table: 'orders', measure: 'count' }
    const second = await ask('POST', 'questions/', plain)
    const none = { field: null, group_by: null, bucket: null, filters: {} }
    expect(second.body).toEqual({ ...plain, ...none, ...stored(1) })
    const listed = await ask('GET', 'questions/', undefined, { by: reader })
    expect(listed.body).toEqual({ count: 2, next: null, previous: null, results: [second.body, made.body] })
    expect((await ask('GET', 'questions/?search=MONTH')).body.results).toEqual([made.body])
    expect(await ask('GET', `questions/${id}/`, undefined, { by: reader })).toEqual({ ...made, status: 200 })
    const replaced = await ask('PUT', `questions/${id}/`, { ...made.body, bucket: 'year' })
    expect(replaced).toEqual({
      status: 200,
      body: { name: 'Sales by month', ...asked, bucket: 'year', ...stored(2) },
      etag: '"2"',
    })
    expect(await ask('DELETE', `questions/${id}/`)).toEqual({ status: 204, body: '', etag: null })
    const gone = { detail: 'Not found.', hint: `There is no question ${id} in this site.`, code: 'not_found' }
    expect(await ask('GET', `questions/${id}/`)).toEqual({ status: 404, body: gone, etag: null })
  })

  it('have unique names: another one with the same name returns 400', async () => {
    const taken = { name: ['A question with the name "Twice" already exists.'] }
    expect((await ask('POST', 'questions/', { name: 'Twice', ...sales })).status).toBe(201)
    expect(await ask('POST', 'questions/', { name: ' Twice ', ...sales })).toMatchObject({
      status: 400,
      body: taken,
    })
    const { body } = await ask('POST', 'questions/', { name: 'Once', ...sales })
    expect(await ask('PUT', `questions/${body.id}/`, { ...body, name: 'Twice' })).toMatchObject({
      status: 400,
      body: taken,
    })
  })

  it('return 412 to the second of two concurrent writers', async () => {
    const { body, etag } = await ask('POST', 'questions/', { name: 'Contested', ...sales })
    const path = `questions/${body.id}/`
    const ifMatch = etag ?? ''
    expect((await ask('PUT', path, { ...body, measure: 'avg' }, { ifMatch })).status).toBe(200)
    const refused = { status: 412, body: precondition('question', 'Contested'), etag: null }
    expect(await ask('PUT', path, { ...body, measure: 'max' }, { ifMatch })).toEqual(refused)
    expect(await ask('DELETE', path, undefined, { ifMatch })).toEqual(refused)
    expect((await ask('GET', path)).body.measure).toBe('avg')
    expect((await ask('DELETE', path, undefined, { ifMatch: '*' })).status).toBe(204)
  })

  it('belong to one site, and are not visible in another site', async () => {
    const answer = await ask('GET', 'questions/', undefined, { by: other.owner, of: other })
    expect(answer.body).toEqual({ count: 0, next: null, previous: null, results: [] })
  })

  it('are limited to 1,000: one more returns 422', async () => {
    await app.sql(
      `insert into tenant._questions (site_id, name, content, created_by)
       select $2, 'Question ' || i, '{}', $1 from generate_series(1, 999) i`,
      [other.owner.id, siteIdOf(other)],
    )
    const asOther = { by: other.owner, of: other }
    expect((await ask('POST', 'questions/', { name: 'Last', ...sales }, asOther)).status).toBe(201)
    const refused = await ask('POST', 'questions/', { name: 'Too many', ...sales }, asOther)
    expect([refused.status, refused.body]).toEqual([
      422,
      { error: 'Quota exceeded', detail: 'A site may have at most 1000 questions.', code: 'quota_exceeded' },
    ])
  })
})

describe('dashboards', () => {
  it.each<[string, unknown, unknown]>([
    [
      'two questions with one name',
      [
        { name: 'a', ...sales },
        { name: 'a', ...sales },
      ],
      { questions: ['Two questions have the same name.'] },
    ],
    [
      'more than 24 questions',
      Array.from({ length: 25 }, (_, index) => ({ name: `${index}`, ...sales })),
      { questions: [expect.stringMatching(/24/)] },
    ],
  ])('return 400 for %s', async (_what, questions, expected) => {
    const refused = await ask('POST', 'dashboards/', { name: 'Wrong', questions })
    expect([refused.status, refused.body]).toEqual([400, expected])
  })

  it('have their own questions, which do not follow changes of a saved question', async () => {
    const saved = await ask('POST', 'questions/', { name: 'Revenue', ...asked })
    const questions = [{ name: 'Revenue', ...asked }]
    const made = await ask('POST', 'dashboards/', { name: 'Monday', questions })
    expect(made).toEqual({ status: 201, body: { name: 'Monday', questions, ...stored(1) }, etag: '"1"' })
    await ask('PUT', `questions/${saved.body.id}/`, { ...saved.body, measure: 'avg' })
    expect((await ask('GET', `dashboards/${made.body.id}/`, undefined, { by: reader })).body).toEqual(
      made.body,
    )
  })

  it('return 412 to the second of two concurrent writers', async () => {
    const { body, etag } = await ask('POST', 'dashboards/', { name: 'Shared' })
    const path = `dashboards/${body.id}/`
    const ifMatch = etag ?? ''
    expect((await ask('PUT', path, { name: 'Ours' }, { ifMatch })).etag).toBe('"2"')
    const refused = { status: 412, body: precondition('dashboard', 'Ours'), etag: null }
    expect(await ask('PUT', path, { name: 'Mine' }, { ifMatch })).toEqual(refused)
    const deleted = await ask('DELETE', path, undefined, { ifMatch })
    expect(deleted).toEqual({ status: 412, body: precondition('dashboard', 'Ours'), etag: null })
    expect((await ask('DELETE', path, undefined, { ifMatch: '"2"' })).status).toBe(204)
    expect((await ask('GET', path)).status).toBe(404)
  })

  it('keep their ETag if they are replaced by what is stored', async () => {
    const { body } = await ask('POST', 'dashboards/', { name: 'Same' })
    const replaced = await ask('PUT', `dashboards/${body.id}/`, body)
    expect(replaced).toEqual({ status: 200, body, etag: '"1"' })
  })

  it('are limited to 1,000: one more returns 422', async () => {
    await app.sql(
      `insert into tenant._dashboards (site_id, name, content, created_by)
       select $2, 'Dashboard ' || i, '{"questions": []}', $1 from generate_series(1, 1000) i`,
      [other.owner.id, siteIdOf(other)],
    )
    const refused = await ask('POST', 'dashboards/', { name: 'Too many' }, { by: other.owner, of: other })
    expect([refused.status, refused.body]).toEqual([
      422,
      { error: 'Quota exceeded', detail: 'A site may have at most 1000 dashboards.', code: 'quota_exceeded' },
    ])
  })

  it('are in the audit when they are changed, with their names', async () => {
    const { body } = await ask('POST', 'dashboards/', { name: 'Audited' })
    await ask('PUT', `dashboards/${body.id}/`, { name: 'Renamed' })
    const { body: audit } = await app.request(
      'GET',
      '/api/cloud/sites/questions/audit/?kind=dashboard&object=Renamed',
      { token: site.owner.token },
    )
    expect(audit.results).toMatchObject([
      {
        kind: 'dashboard',
        action: 'change',
        actor: { username: 'writer' },
        changed: ['name'],
        values: { name: { from: 'Audited', to: 'Renamed' } },
      },
    ])
  })
})
