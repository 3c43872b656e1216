/** The providers that are linked to an account, as its owner sees them. S7. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp, type User } from '../support/app.ts'
import { createSocialSite, type SocialSite, verified } from '../support/social-login.ts'

let app: TestApp
let site: SocialSite
const password = 'Correct-horse-1'

const list = (token: string) => app.request('GET', '/api/users/me/providers/', { token })
const unlink = (token: string, id: number) =>
  app.request('DELETE', `/api/users/me/providers/${id}/`, { token })
const linked = async (user: User, subject: string) => {
  const [row] = await app.sql<{ id: string }>(
    `insert into social_accounts (site_id, social_app_id, issuer, subject, user_id)
     select id, 1, 'i', $2, $1 from sites where slug = 'acme' returning id`,
    [user.id, subject],
  )
  return Number(row?.id)
}

beforeAll(async () => {
  app = (await startApp()).with({ ALLOW_PRIVATE_HOSTS: 'true' })
  site = await createSocialSite(app, 'acme', ['one'])
})

describe('GET /api/users/me/providers/', () => {
  it('lists the providers with their site and organization', async () => {
    const { body } = await site.signIn('one', verified('ada', 'ada@example.org'))
    const { status, body: own } = await list(body.access)
    expect([status, own]).toEqual([
      200,
      {
        count: 1,
        next: null,
        previous: null,
        results: [
          {
            id: expect.any(Number),
            site: 'acme',
            organization: 'acme-org',
            provider: 'one',
            name: expect.any(String),
            created: expect.any(String),
            last_login: expect.any(String),
          },
        ],
      },
    ])
    expect((await list((await app.user('none')).token)).body).toEqual({
      count: 0,
      next: null,
      previous: null,
      results: [],
    })
  })
})

describe('DELETE /api/users/me/providers/{id}/', () => {
  it('returns 404 for a provider of another account, and for one that does not exist', async () => {
    const [mine, theirs] = [await app.user('mine', { password }), await app.user('theirs', { password })]
    const id = await linked(theirs, 'theirs')
    expect([(await unlink(mine.token, id)).status, (await unlink(mine.token, 999_999)).status]).toEqual([
      404, 404,
    ])
    expect(await app.sql('select from social_accounts where id = $1', [id])).toHaveLength(1)
  })

  it('returns 400 for the last way to sign in, also for one of two simultaneous requests', async () => {
    const user = await app.user('only')
    const ids = [await linked(user, 'only-1'), await linked(user, 'only-2')]
    const answers = await Promise.all(ids.map((id) => unlink(user.token, id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400])
    expect(answers.find(({ status }) => status === 400)?.body).toEqual({
      detail:
        'This is the only way to sign in to the account. First get a password: ' +
        'POST /api/auth/password/reset/ mails a link for one.',
      code: 'last_way_in',
    })
  })

  it('returns 204 if a password is left; sign-ins by the provider end', async () => {
    const { body } = await site.signIn('one', verified('bo', 'bo@example.org'))
    await app.sql(`update users set password_hash = 'x' where email = 'bo@example.org'`)
    const [{ id }] = (await list(body.access)).body.results
    expect((await unlink(body.access, id)).status).toBe(204)
    expect((await list(body.access)).status).toBe(401)
  })
})
