import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'

let app: TestApp
let site: Site

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'alpha')
})

describe('x', () => {
  it('y', async () => {
    const answer = await app.request('GET', `${site.api}/apps/`, { token: site.owner.token })
    expect(answer).toMatchObject({ status: 200, body: { count: 0, results: [] } })
  })
})
