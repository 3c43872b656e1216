/** Failures that only a concurrent request can cause, or a value that no validation has found. */
import { Hono } from 'hono'
import { beforeAll, expect, it, vi } from 'vitest'
import { DatabaseFailure } from '../../src/kernel/db/failures.ts'
import type { AppEnv } from '../../src/kernel/http/app-env.ts'
import { respondToFailure } from '../../src/kernel/http/failures.ts'
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
  body: {
    detail: 'Another request has just changed or deleted something that this one needs. Try again.',
    code: 'conflicting_request',
  },
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

it('a value that only Postgres refuses is 400, and the log has its SQLSTATE but not the value', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const throwing = new Hono<AppEnv>().onError(respondToFailure).get('*', () => {
    throw new DatabaseFailure({ code: '22003', detail: '"98765" is out of range' })
  })
  const answer = await throwing.request('/', {}, app.env)
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { detail: 'The request contains a value that cannot be stored.', code: 'unstorable_value' },
  ])
  const lines = log.mock.calls.flat().join()
  expect(JSON.parse(lines)).toMatchObject({ level: 'warn', status: 400, failure: [{ sqlstate: '22003' }] })
  expect(lines).not.toContain('98765')
  log.mockRestore()
})
