/** The roles of future sites, and the maximum number of sites of a database. */
import { createScheduledController } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import worker from '../../src/worker.ts'
import { startApp, type TestApp, type User } from '../support/app.ts'

let app: TestApp
let founder: User

beforeAll(async () => {
  app = await startApp({ SITES_AHEAD: '2', SITES_MAX: '4' })
  founder = await app.user('founder')
  await app.request('POST', '/api/cloud/organizations/', { token: founder.token, body: { name: 'Acme' } })
})

const create = (name: string) =>
  app.request('POST', '/api/cloud/organizations/acme/sites/', { token: founder.token, body: { name } })
const roles = async () => {
  const made = await app.sql<{ role: string }>(
    `select r.rolname as role from pg_roles r
      where r.rolname in (select 'site_' || s.id from sites s union select 'site_' || p.id from prepared_sites p)`,
  )
  return made.map(({ role }) => role)
}
const prepared = async () => {
  const rows = await app.sql<{ role: string }>(`select 'site_' || id as role from prepared_sites order by id`)
  return rows.map(({ role }) => role)
}

describe('the schedule', () => {
  it('prepares the roles of SITES_AHEAD sites, and no more when it runs again', async () => {
    for (let runs = 0; runs < 2; runs++) {
      await worker.scheduled(createScheduledController(), app.env)
      expect(await prepared()).toHaveLength(2)
    }
    expect((await roles()).toSorted()).toEqual((await prepared()).toSorted())
  })
})

describe('a new site', () => {
  it('gets the lowest prepared number, and makes a role if none is left', async () => {
    const [first, second] = await prepared()
    expect((await create('One')).body.schema_name).toBe(first)
    const [two, three] = await Promise.all([create('Two'), create('Three')])
    expect([two.status, three.status]).toEqual([201, 201])
    const names = [two.body.schema_name, three.body.schema_name]
    expect(names).toContain(second)
    expect(await prepared()).toEqual([])
    expect(await roles()).toHaveLength(3)
  })

  it('is 422 if the database has SITES_MAX sites, and the status shows the maximum', async () => {
    expect((await create('Four')).status).toBe(201)
    const refused = await create('Five')
    expect([refused.status, refused.body]).toEqual([
      422,
      {
        error: 'Quota exceeded',
        detail: 'This service has its maximum of 4 sites. Its operator can make room.',
        code: 'quota_exceeded',
      },
    ])
    const root = await app.user('root', { superuser: true })
    const status = await app.request('GET', '/api/cloud/status/', { token: root.token })
    expect(status.body.sites).toEqual({ count: 4, max: 4, limited: 0, outdated: 0, measured: null })
  })
})
