/**
 * An invitation ends when its purpose does: an address has one pending invitation of an organization, and no
 * invitation brings back what an organization has ended. I8.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Site, startApp, type TestApp, type User } from '../support/app.ts'
import { invitationCode, linkTokenOf } from '../support/letters.ts'
import { createDirectory, type Directory, patch } from '../support/scim.ts'
import { createSocialSite, type SocialSite, verified } from '../support/social-login.ts'

let app: TestApp
let site: SocialSite
let directory: Directory
let elsewhere: Site

const password = 'Correct-horse-1'
const person = { password: 'Another-horse-2', first_name: 'Ada', last_name: 'Byron' }
const organization = '/api/cloud/organizations/shore-org'
const invitations = `${organization}/invitations/`
const grants = { group: ['Crew'], site: [{ slug: 'shore', permissions: ['access_site'] }] }

const as = (user: User, method: string, path: string, body?: unknown) =>
  app.request(method, path, { token: user.token, ...(body === undefined ? {} : { body }) })
const owner = (method: string, path: string, body?: unknown) => as(site.owner, method, path, body)
const invite = async (email: string, config: object = grants) =>
  (await owner('POST', invitations, { invitee_identifier: email, invitation_config: config })).body
const details = (uuid: string) => app.request('GET', `/api/cloud/invitations/${uuid}/details/`)
const accept = (uuid: string, body: object = person) =>
  app.request('POST', `/api/cloud/invitations/${uuid}/accept/`, { body })
const signIn = async (username: string, secret = password) =>
  (await app.request('POST', '/api/auth/jwt/token/', { body: { username, password: secret } })).status
const signUp = async (email: string) => {
  await app.request('POST', `${site.api}/auth/sign-up/`, { body: { email, password } })
  const token = await linkTokenOf(app, email)
  return app.request('POST', `${site.api}/auth/sign-up/confirm/`, { body: { token, password } })
}
const signUps = (change: object) => owner('PATCH', '/api/cloud/sites/shore/', change)
const proven = async (name: string): Promise<User> => {
  const user = await app.user(name, { password })
  await app.sql('update users set email_verified_at = now(), password_is_own = true where id = $1', [user.id])
  return user
}
/** Returns the groups and the permissions of an account in the organization. */
const held = async (email: string) =>
  (
    await app.sql(
      `select (select m.role from memberships m where m.user_id = u.id and m.organization_id = s.organization_id) as role,
              array(select g.name from group_members x join groups g on g.id = x.group_id
                     where x.user_id = u.id and g.organization_id = s.organization_id order by g.name) as groups,
              coalesce((select p.permissions from site_permissions p where p.user_id = u.id and p.site_id = s.id), '{}')
                as permissions
         from users u, sites s where lower(u.email) = lower($1) and s.slug = 'shore'`,
      [email],
    )
  )[0]
const allOfIt = { role: 'member', groups: ['Crew'], permissions: ['access_site'] }
const ended = (reason: string) => ({
  status: 410,
  body: { detail: `This invitation has ended: ${reason}`, code: 'invitation_ended' },
})
const joined = ended('the person has become a member in another way.')
const removed = ended('the person was removed from the organization. Ask for a new one.')
const switchedOff = ended('the person was switched off in the organization.')
const moved = ended('the account of the person has another address now.')

beforeAll(async () => {
  app = (await startApp()).with({
    ALLOW_PRIVATE_HOSTS: 'true',
    EMAIL_TRANSPORT: 'mailbox',
    PUBLIC_URL: 'https://app.example.com',
    RATE_LIMIT_SCALE: '100000',
  })
  site = await createSocialSite(app, 'shore', ['one'])
  elsewhere = await createSocialSite(app, 'inland', [])
  directory = await createDirectory(app, site)
})

describe('a second invitation of an address', () => {
  const replaced = {
    status: 410,
    body: {
      detail: 'This invitation was replaced by a newer one. Use the link in the newest e-mail.',
      code: 'invitation_replaced',
    },
  }

  it('returns 201 with replaced: true; the first one returns 410, also to the code in its e-mail', async () => {
    const first = await invite('second@example.net')
    expect(first).not.toHaveProperty('replaced')
    const code = await invitationCode(app, first)
    const again = await owner('POST', invitations, { invitee_identifier: 'SECOND@example.net' })
    expect([again.status, again.body.replaced]).toEqual([201, true])
    expect(await details(first.uuid)).toMatchObject(replaced)
    expect(await accept(first.uuid, { ...person, code })).toMatchObject(replaced)
    expect(await owner('DELETE', `${invitations}${first.uuid}/`)).toMatchObject(replaced)
    const { results } = (await owner('GET', `${invitations}?search=second`)).body
    expect(results.map(({ uuid }: { uuid: string }) => uuid)).toEqual([again.body.uuid])
    expect((await accept(again.body.uuid)).status).toBe(200)
  })

  it('is one of 20 concurrent ones that stays pending', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => invite('crowd@example.net')))
    const statuses = await Promise.all(made.map(async ({ uuid }) => (await details(uuid)).status))
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 410)])
    expect(made.filter(({ replaced }) => replaced)).toHaveLength(19)
  })

  it('by a directory replaces that of an admin, and grants what it granted', async () => {
    const known = await proven('kept-grants')
    const first = await invite(known.email)
    expect((await directory.call('POST', '/Users', { userName: known.email })).status).toBe(201)
    expect(await details(first.uuid)).toMatchObject(replaced)
    const [row] = await app.sql<{ uuid: string }>(
      'select uuid from invitations i where i.invitee = $1 and public.is_pending(i)',
      [known.id],
    )
    expect((await details(row?.uuid as string)).body.config).toEqual(grants)
  })
})

/** Makes a member whose address nobody has proved, and who has a pending invitation. */
async function employ(name: string) {
  const email = `${name}@example.net`
  const { uuid } = await invite(email)
  const made = await owner('POST', `${site.api}/users/`, { username: name, email, password })
  return { id: made.body.id as number, name, email, uuid: uuid as string }
}
/** Invites somebody who has an account, by a directory. */
async function direct(name: string) {
  const { id, email } = await proven(name)
  await directory.call('POST', '/Users', { userName: email })
  const [row] = await app.sql<{ uuid: string }>('select uuid from invitations where invitee = $1', [id])
  return { id, name, email, uuid: row?.uuid as string }
}
type Invited = Awaited<ReturnType<typeof employ>>
const byDirectory = (method: string, { id }: Invited, active = false) =>
  directory.call(
    method,
    `/Users/${id}`,
    ...(method === 'PATCH' ? [patch({ op: 'replace', path: 'active', value: active })] : []),
  )

describe('a pending invitation', () => {
  it.each<[string, typeof employ, (invited: Invited) => Promise<{ status: number }>, object]>([
    [
      'a manager removes the member',
      employ,
      ({ id }) => owner('DELETE', `${organization}/members/${id}/`),
      removed,
    ],
    [
      'the member leaves',
      employ,
      async ({ id, name }) => {
        const user = await app.signedIn({ id, username: name, email: '', token: '' })
        return as(user, 'DELETE', `${organization}/members/${id}/`)
      },
      removed,
    ],
    [
      'a manager switches the account off',
      employ,
      ({ name }) => owner('PATCH', `/api/users/${name}/`, { is_active: false }),
      switchedOff,
    ],
    ['a manager deletes the account', employ, ({ name }) => owner('DELETE', `/api/users/${name}/`), removed],
    ['the directory switches the member off', employ, (one) => byDirectory('PATCH', one), switchedOff],
    ['the directory deletes the member', employ, (one) => byDirectory('DELETE', one), removed],
    [
      'the directory switches off whom it has invited',
      direct,
      (one) => byDirectory('PATCH', one),
      switchedOff,
    ],
    ['the directory deletes whom it has invited', direct, (one) => byDirectory('DELETE', one), removed],
    [
      'a manager changes the address',
      employ,
      ({ name, email }) => owner('PATCH', `/api/users/${name}/`, { email: `next-${email}` }),
      moved,
    ],
    [
      'the person changes the address',
      direct,
      async ({ id, name, email }) => {
        const user = await app.signedIn({ id, username: name, email, token: '' })
        await as(user, 'PATCH', '/api/users/me/', { email: `next-${email}` })
        const token = await linkTokenOf(app, `next-${email}`)
        return as(user, 'POST', '/api/auth/email/verify/confirm/', { token })
      },
      moved,
    ],
  ])(
    'ends when %s: 410 with the reason, and acceptance changes nothing',
    async (title, make, end, reason) => {
      const invited = await make(title.replaceAll(' ', '-'))
      expect((await details(invited.uuid)).status).toBe(200)
      expect((await end(invited)).status).toBeLessThan(300)
      expect(await details(invited.uuid)).toMatchObject(reason)
      const before = await held(invited.email)
      expect(await accept(invited.uuid)).toMatchObject(reason)
      expect(await held(invited.email)).toEqual(before)
      expect(await signIn(invited.email, person.password)).toBe(401)
    },
  )

  it('returns 410 while its organization is deleted, and can be accepted when it is restored', async () => {
    const { body } = await as(elsewhere.owner, 'POST', '/api/cloud/organizations/', { name: 'Brief' })
    const path = `/api/cloud/organizations/${body.slug}/`
    const made = await as(elsewhere.owner, 'POST', `${path}invitations/`, {
      invitee_identifier: 'brief@example.net',
    })
    expect((await as(elsewhere.owner, 'DELETE', path)).status).toBeLessThan(300)
    const gone = {
      status: 410,
      body: { detail: 'The organization of this invitation is deleted.', code: 'invitation_ended' },
    }
    expect([await details(made.body.uuid), await accept(made.body.uuid)]).toMatchObject([gone, gone])
    expect((await as(elsewhere.owner, 'POST', `${path}restore/`)).status).toBe(200)
    expect((await accept(made.body.uuid)).status).toBe(200)
  })

  it('skips a site that is deleted', async () => {
    await owner('POST', `${organization}/sites/`, { name: 'Brief', slug: 'brief' })
    const config = { site: [...grants.site, { slug: 'brief', permissions: ['admin_site'] }] }
    const { uuid } = await invite('skipped@example.net', config)
    expect((await owner('DELETE', '/api/cloud/sites/brief/')).status).toBeLessThan(300)
    const { body, status } = await accept(uuid)
    expect(status).toBe(200)
    expect(
      await app.sql(
        'select s.slug from site_permissions p join sites s on s.id = p.site_id where p.user_id = $1',
        [body.user.id],
      ),
    ).toEqual([{ slug: 'shore' }])
  })
})

describe('an invited person who becomes a member in another way, with a proved address', () => {
  /** Joins with an address, and returns the token of the invitation to it. */
  const ways: Readonly<Record<string, (email: string) => Promise<string>>> = {
    'by a group of the domain, at a sign-up': async (email) => {
      const { uuid } = await invite(email)
      await signUps({ sign_up: 'open', domain_groups: [{ domain: 'example.net', group: 'Guild' }] })
      expect((await signUp(email)).status).toBe(201)
      await signUps({ sign_up: 'closed', domain_groups: [] })
      return uuid
    },
    'by the directory, which restores a membership': async (email) => {
      const { id } = await proven(email.split('@')[0] as string)
      await app.sql('update users set email = $2 where id = $1', [id, email])
      await app.sql('update users set email_verified_at = now() where id = $1', [id])
      await app.sql(
        `insert into memberships (organization_id, user_id, role)
         select organization_id, $1, 'member' from sites where slug in ('shore', 'inland')`,
        [id],
      )
      expect((await byDirectory('PATCH', { id } as Invited)).status).toBe(200)
      const { uuid } = await invite(email)
      expect((await byDirectory('PATCH', { id } as Invited, true)).status).toBe(200)
      return uuid
    },
    'made by a manager, and verifies the address': async (email) => {
      const invited = await employ(email.split('@')[0] as string)
      await verify(email)
      return invited.uuid
    },
    'made by the directory, and sets the first password': async (email) => {
      const { uuid } = await invite(email)
      expect((await directory.call('POST', '/Users', { userName: email })).status).toBe(201)
      const token = await linkTokenOf(app, email)
      const body = { token, password }
      expect((await app.request('POST', '/api/auth/password/reset/confirm/', { body })).status).toBe(200)
      return uuid
    },
  }
  const verify = async (email: string) => {
    await app.request('POST', '/api/auth/email/verify/', { body: { email } })
    const token = await linkTokenOf(app, email)
    expect((await app.request('POST', '/api/auth/email/verify/confirm/', { body: { token } })).status).toBe(
      200,
    )
  }

  it.each(Object.entries(ways))('gets what the invitation grants, and it ends: %s', async (way, join) => {
    const email = `${way.replaceAll(/\W+/g, '-')}@example.net`
    const uuid = await join(email)
    const { role, groups, permissions } = (await held(email)) as typeof allOfIt
    expect([role, permissions]).toEqual(['member', ['access_site']])
    expect(groups).toContain('Crew')
    expect(await details(uuid)).toMatchObject(joined)
  })
})

describe('an invited person with an address that is not proved', () => {
  it('who becomes a member keeps the invitation, which then needs the mailed code', async () => {
    const { uuid, email } = await employ('unproved')
    const literal = app.with({ INVITATION_EXISTING_ACCOUNTS: 'specification' })
    const path = `/api/cloud/invitations/${uuid}/accept/`
    expect((await literal.request('POST', path, { body: person })).status).toBe(403)
    expect([await signIn(email), (await details(uuid)).status]).toEqual([200, 200])
    expect(await held(email)).toEqual({ role: 'member', groups: [], permissions: [] })
    const [row] = await app.sql<{ id: number }>('select id from invitations where uuid = $1', [uuid])
    const code = await invitationCode(app, { id: row?.id as number, invitee_identifier: email })
    expect((await accept(uuid, { ...person, code })).status).toBe(200)
    expect(await held(email)).toEqual(allOfIt)
  })
})

describe('an invited person who becomes a guest only', () => {
  it.each<[string, (email: string) => Promise<{ status: number }>]>([
    [
      'by a sign-up',
      async (email) => {
        await signUps({ sign_up: 'open' })
        return signUp(email)
      },
    ],
    ['by a provider', (email) => site.signIn('one', verified(email, email))],
  ])('keeps the invitation: %s', async (way, become) => {
    const email = `guest-${way.replaceAll(' ', '-')}@example.net`
    const { uuid } = await invite(email)
    expect((await become(email)).status).toBeLessThan(300)
    expect((await held(email)) as object).toMatchObject({ role: null })
    expect((await details(uuid)).status).toBe(200)
  })
})
