/** Failures that only a concurrent request can cause. */
import { beforeAll, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'
import { commitWhenAwaited } from '../support/locks.ts'

let app: TestApp
let site: Site

beforeAll(async () => {
  app = await startApp()
  site = await createSite(app, 'raced')
})

const lost = {
  status: 503,
  body: { detail: 'Another request has just changed or deleted something that this one needs. Try again.' },
}

it('a write that refers to an account that is being deleted returns 503', async () => {
  const user = await app.user('leaving')
  const deletion = await commitWhenAwaited(app, `delete from public.users where id = ${user.id}`)
  const permissions = await app.request('PUT', `/api/cloud/sites/raced/permissions/${user.id}/`, {
    token: site.owner.token,
    body: { permissions: ['access_site'] },
  })
  expect(permissions).toMatchObject(lost)
  expect(permissions.headers.get('retry-after')).toBe('1')
  await deletion.committed
})

it('a change of an account that is being deleted returns 503, and 401 after that', async () => {
  const user = await app.user('gone')
  const rename = () =>
    app.request('PATCH', '/api/users/me/', { token: user.token, body: { first_name: 'Gone' } })
  const deletion = await commitWhenAwaited(app, `delete from public.users where id = ${user.id}`)
  expect(await rename()).toMatchObject(lost)
  await deletion.committed
  expect((await rename()).status).toBe(401)
})
