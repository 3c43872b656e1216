/** The list of an account's sign-ins, and ending them. A2, A3. */
import { beforeAll, describe, expect, it } from 'vitest'
import { deviceOf } from '../../src/kernel/lib/device.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { hold, untilWaiting } from '../support/locks.ts'
import { until } from '../support/until.ts'

let app: TestApp
const password = 'Correct-horse-1'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const list = (token: string) => app.request('GET', '/api/auth/sessions/', { token })
const end = (token: string, id = '') =>
  app.request('DELETE', `/api/auth/sessions/${id ? `${id}/` : ''}`, { token })
const me = (token: string) => app.request('GET', '/api/users/me/', { token })
const refresh = (token: string) =>
  app.request('POST', '/api/auth/jwt/token/refresh/', { body: { refresh: token } })
const signIn = async (username: string, headers: Record<string, string> = {}, path = 'jwt/token') =>
  app.request('POST', `/api/auth/${path}/`, { body: { username, password }, headers })
const cookieOf = (headers: Headers) => headers.get('set-cookie')?.split(';')[0] as string
const exchange = (cookie: string) =>
  app.request('POST', '/api/auth/session/token/', { headers: { cookie, origin: 'http://localhost' } })

beforeAll(async () => {
  app = await startApp()
})

describe('GET /api/auth/sessions/', () => {
  it('lists sign-ins with device, country and times, and marks the one of the request', async () => {
    const user = await app.user('ada', { password })
    await signIn('ada', { 'user-agent': firefox, 'cf-ipcountry': 'PT' }, 'session')
    const { access } = (await signIn('ada', { 'user-agent': 'curl/8.5.0', 'cf-ipcountry': 'XX' })).body
    const { status, body } = await list(access)
    expect(status).toBe(200)
    const times = {
      id: expect.any(String),
      created: expect.any(String),
      last_used_at: expect.any(String),
      expires_at: expect.any(String),
    }
    expect(body.results).toEqual([
      { ...times, kind: 'tokens', device: 'curl', country: null, is_current: true },
      { ...times, kind: 'session', device: 'Firefox on Linux', country: 'PT', is_current: false },
    ])
    expect((await list(user.token)).body.results).toHaveLength(2)
  })

  it('shows no sign-in of other accounts, no ended one, and none of an earlier generation', async () => {
    const bo = await app.user('bo', { password })
    await app.user('other', { password })
    await signIn('other')
    const first = (await signIn('bo')).body
    await app.request('POST', '/api/auth/jwt/token/blacklist/', { body: { refresh: first.refresh } })
    expect((await list(bo.token)).body.results).toEqual([])
    await signIn('bo')
    await app.sql('update users set generation = generation + 1 where id = $1', [bo.id])
    expect((await list((await app.signedIn(bo)).token)).body.results).toEqual([])
  })

  it('keeps only a known device name from the User-Agent header', () => {
    expect(deviceOf(firefox)).toBe('Firefox on Linux')
    expect(
      deviceOf(
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
      ),
    ).toBe('Safari on iPhone')
    expect(
      deviceOf('Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0'),
    ).toBe('Edge on Windows')
    for (const hostile of ['<script>', "'; drop table users --", '\u0000', '', 'x'.repeat(10_000)])
      expect(deviceOf(hostile)).toBeNull()
    expect(deviceOf(null)).toBeNull()
  })

  it('stores the last use to the minute', async () => {
    const user = await app.user('user', { password })
    const { access } = (await signIn('user')).body
    await app.sql(`update refresh_families set last_used_at = now() - interval '1 hour' where user_id = $1`, [
      user.id,
    ])
    await me(access)
    const [row] = await app.sql<{ seconds: number }>(
      'select extract(epoch from now() - last_used_at)::int as seconds from refresh_families where user_id = $1',
      [user.id],
    )
    expect(row?.seconds).toBeLessThan(600)
  })
})

describe('DELETE /api/auth/sessions/{id}/', () => {
  it('returns 404 for a sign-in of another account, for an ended one, and for an invalid id', async () => {
    const mine = await app.user('mine', { password })
    await app.user('theirs', { password })
    const theirs = (await signIn('theirs')).body.access
    const [{ id }] = (await list(theirs)).body.results
    expect((await end(mine.token, id)).status).toBe(404)
    expect((await end(mine.token, 'none')).status).toBe(404)
    expect((await me(theirs)).status).toBe(200)
    expect((await end(theirs, id)).status).toBe(204)
    expect((await end((await signIn('theirs')).body.access, id)).status).toBe(404)
  })

  it('ends the tokens of a sign-in at once: none of 100 requests with them is accepted, and other sign-ins continue', async () => {
    await app.user('phone', { password })
    const lost = (await signIn('phone')).body
    const kept = (await signIn('phone')).body
    const others = (await list(kept.access)).body.results.filter(
      ({ is_current }: { is_current: boolean }) => !is_current,
    )
    expect((await end(kept.access, others[0].id)).status).toBe(204)
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => (index % 2 ? me(lost.access) : refresh(lost.refresh))),
    )
    expect(answers.filter(({ status }) => status !== 401)).toEqual([])
    expect([(await me(kept.access)).status, (await refresh(kept.refresh)).status]).toEqual([200, 200])
  })

  it('ends the session of a browser, and the tokens that were made from it', async () => {
    const user = await app.user('browser', { password })
    const cookie = cookieOf((await signIn('browser', {}, 'session')).headers)
    const { access } = (await exchange(cookie)).body
    const [{ id }] = (await list(user.token)).body.results
    expect((await end(user.token, id)).status).toBe(204)
    expect([(await exchange(cookie)).status, (await me(access)).status]).toEqual([401, 401])
  })
})

describe('DELETE /api/auth/sessions/', () => {
  it('ends all sign-ins except that of the request', async () => {
    await app.user('many', { password })
    const lost = (await signIn('many')).body
    const cookie = cookieOf((await signIn('many', {}, 'session')).headers)
    const kept = (await signIn('many')).body
    expect((await end(kept.access)).status).toBe(204)
    expect([
      (await me(lost.access)).status,
      (await refresh(lost.refresh)).status,
      (await exchange(cookie)).status,
      (await me(kept.access)).status,
      (await refresh(kept.refresh)).status,
    ]).toEqual([401, 401, 401, 200, 200])
  })
})

describe('a sign-in that is recorded while others are ended', () => {
  const key = 7_001
  const wait = `perform pg_advisory_xact_lock_shared(${key});`

  /** Adds the SQL of `first` to the recording of a sign-in while `act` runs. */
  async function whileRecording(kind: 'statement' | 'row', first: string, act: () => Promise<void>) {
    await app.sql(`
      create or replace function public.pause() returns trigger language plpgsql as
        $$ begin ${first} return new; end $$`)
    await app.sql(`
      create trigger pause before insert on refresh_families for each ${kind} execute function public.pause()`)
    await act().finally(() => app.sql('drop trigger pause on refresh_families'))
  }

  const late = async (username: string): Promise<{ access: string; refresh: string }> => {
    const body = { username, password }
    return (await app.open('POST', '/api/auth/jwt/token/', { body })).json()
  }
  const openRows = (id: number) =>
    app.sql('select from refresh_families where user_id = $1 and revoked_at is null', [id])

  it.each(['statement', 'row'] as const)('ends with all others if it waits before each %s', async (kind) => {
    const user = await app.user(`late-${kind}`, { password })
    const kept = (await signIn(user.username)).body
    await whileRecording(kind, wait, async () => {
      const release = await hold(app, `perform pg_advisory_xact_lock(${key})`)
      const tokens = await late(user.username)
      await untilWaiting(app)
      const ending = end(kept.access)
      // Ending them waits for a sign-in that is being written. Otherwise, ending comes first.
      if (kind === 'statement') await ending
      else await untilWaiting(app, 2)
      await release()
      expect((await ending).status).toBe(204)
      await until(
        async () =>
          (await app.sql('select from refresh_families where user_id = $1', [user.id])).length === 2,
        () => 'a sign-in that is recorded',
      )
      expect([(await me(tokens.access)).status, (await refresh(tokens.refresh)).status]).toEqual([401, 401])
      expect([(await me(kept.access)).status, (await openRows(user.id)).length]).toEqual([200, 1])
    })
    // Later sign-ins are not affected.
    expect((await me((await signIn(user.username)).body.access)).status).toBe(200)
  })

  it('stays if it has ended the others itself', async () => {
    const user = await app.user('late-own', { password })
    await signIn('late-own')
    await whileRecording('statement', wait, async () => {
      const release = await hold(app, `perform pg_advisory_xact_lock(${key})`)
      const tokens = await late('late-own')
      await untilWaiting(app)
      expect((await end(tokens.access)).status).toBe(204)
      await release()
      await until(
        async () => (await openRows(user.id)).length === 1,
        () => 'a sign-in that is recorded',
      )
      expect([(await me(tokens.access)).status, (await refresh(tokens.refresh)).status]).toEqual([200, 200])
    })
  })

  it('cannot be refreshed if it was never recorded', async () => {
    const user = await app.user('never', { password })
    const kept = (await signIn('never')).body
    let tokens = { access: '', refresh: '' }
    await whileRecording('row', `raise exception 'no row';`, async () => {
      tokens = (await signIn('never')).body
    })
    expect((await end(kept.access)).status).toBe(204)
    expect((await refresh(tokens.refresh)).status).toBe(401)
    expect([(await me(tokens.access)).status, (await openRows(user.id)).length]).toEqual([401, 1])
  })

  it('stays if it is of another organization than a sign-in by a provider that ends the others', async () => {
    const user = await app.user('provider', { password })
    await signIn('provider')
    const caller = (organization: string) =>
      `row(${user.id}, 1, ${organization}, gen_random_uuid(), null, null, null, null, null)::caller`
    await app.sql(`select end_other_sign_ins(${caller('5')})`)
    const [row] = await app.sql(
      `select ended_with_others(u, gen_random_uuid(), 5, now() - interval '1 minute') as of_organization,
              ended_with_others(u, gen_random_uuid(), 6, now() - interval '1 minute') as of_another,
              ended_with_others(u, gen_random_uuid(), null, now() - interval '1 minute') as of_platform
         from users u where u.id = $1`,
      [user.id],
    )
    expect([row, (await openRows(user.id)).length]).toEqual([
      { of_organization: true, of_another: false, of_platform: false },
      1,
    ])
  })
})
