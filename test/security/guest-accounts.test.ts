/**
 * Accounts of people who use a site as guests: what the owner of another organization can do with them. T7,
 * S7.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Site, startApp, type TestApp, type User } from '../support/app.ts'
import { addTables, createShop, grant, type Shop } from '../support/fixtures.ts'
import { invitationCode, linkTokenOf } from '../support/letters.ts'
import { heldQueue } from '../support/queue.ts'
import { createDirectory } from '../support/scim.ts'
import { createSocialSite, type SocialSite, verified } from '../support/social-login.ts'

let app: TestApp
/** The organization of the attacker, whose provider returns any claims. */
let mallory: SocialSite
/** A site that people use as guests. */
let shop: Shop
const queue = heldQueue()

const forbidden = {
  status: 403,
  body: { detail: 'You do not have permission to perform this action.', code: 'permission_denied' },
}
const planted = 'Planted-horse-1'
const own = 'Own-horse-2'

const byMallory = (method: string, path: string, body?: object) =>
  app.request(method, path, { token: mallory.owner.token, ...(body ? { body } : {}) })
const signIn = async (username: string, password: string) =>
  app.request('POST', '/api/auth/jwt/token/', { body: { username, password } })
const guestsOf = async (site: Site) =>
  (
    await app.sql<{ username: string }>(
      `select u.username from site_guests g join users u on u.id = g.user_id join sites s on s.id = g.site_id
        where s.slug = $1 order by u.username`,
      [site.slug],
    )
  ).map(({ username }) => username)

/** Has the attacker create an account for an address. */
async function plant(name: string): Promise<{ id: number; username: string; email: string }> {
  const email = `${name}@example.org`
  const body = { username: name, email, password: planted }
  const made = await byMallory('POST', `${mallory.api}/users/`, body)
  expect(made.status).toBe(201)
  return made.body
}

/** Has the owner of the address reset the password, and sign in. Returns the token. */
async function takeOver({ username, email }: { username: string; email: string }): Promise<string> {
  await app.request('POST', `${shop.api}/auth/password/reset/`, { body: { email } })
  const body = { token: await linkTokenOf(app, email), password: own }
  const reset = await app.request('POST', `${shop.api}/auth/password/reset/confirm/`, { body })
  expect(reset.status).toBe(200)
  return (await signIn(username, own)).body.access
}

/** Signs somebody up at the shop. Returns the token. */
async function signUp(email: string): Promise<string> {
  await app.request('POST', `${shop.api}/auth/sign-up/`, { body: { email, password: own } })
  const body = { token: await linkTokenOf(app, email), password: own }
  expect((await app.request('POST', `${shop.api}/auth/sign-up/confirm/`, { body })).status).toBe(201)
  return (await signIn(email, own)).body.access
}

const notes = (token: string) => app.request('GET', shop.data('notes'), { token })

beforeAll(async () => {
  app = (await startApp()).with({
    ALLOW_PRIVATE_HOSTS: 'true',
    EMAIL_TRANSPORT: 'mailbox',
    PUBLIC_URL: 'https://app.example.com',
    DEFAULT_SITE: '',
  })
  app.env.EVENTS = queue.binding
  ;[mallory, shop] = await Promise.all([
    createSocialSite(app, 'mallory', ['one']),
    createShop(app, 'gallery'),
  ])
  await byMallory('POST', `${mallory.api}/apps/`, { name: 'Shop', slug: 'shop' })
  await addTables(app, shop, [
    {
      name: 'notes',
      schema: {
        fields: [
          { name: 'id', type: 'integer' },
          { name: 'owner_id', type: 'integer' },
          { name: 'address', type: 'string' },
        ],
        primaryKey: 'id',
        access: {
          rules: [
            {
              name: 'own',
              who: 'signed-in',
              can: ['read', 'create'],
              where: { owner_id: { $: 'user.id' } },
              set: { owner_id: { $: 'user.id' } },
            },
            { name: 'addressed', who: 'signed-in', can: ['read'], where: { address: { $: 'user.email' } } },
          ],
        },
      },
    },
  ])
  await app.request('PATCH', '/api/cloud/sites/gallery/', {
    token: shop.owner.token,
    body: { sign_up: 'open' },
  })
})

describe('the guests of a site', () => {
  it('are accounts that have read or written its records, and not those that were refused', async () => {
    const [reader, writer, refused, member] = (await Promise.all(
      ['reader', 'writer', 'refused', 'member'].map((name) => app.user(name)),
    )) as [User, User, User, User]
    await app.sql(
      `insert into memberships (organization_id, user_id, role)
       select organization_id, $1, 'member' from sites where slug = 'gallery'`,
      [member.id],
    )
    expect((await notes(reader.token)).status).toBe(200)
    expect((await notes(member.token)).status).toBe(200)
    const written = await app.request('POST', shop.data('notes'), {
      token: writer.token,
      body: { address: 'x' },
    })
    expect(written.status).toBe(201)
    const { token } = refused
    expect((await app.request('GET', shop.data('products'), { token })).status).toBe(403)
    expect((await app.request('GET', shop.data('notes'), {})).status).toBe(401)
    const unknown = await app.request('POST', shop.data('notes'), { token, body: { color: 'red' } })
    expect(unknown.status).toBe(400)
    // The owner has used the site with rights, which is a tie, too.
    expect(await guestsOf(shop)).toEqual(['gallery-owner', 'member', 'reader', 'writer'])
  })

  it('are not accounts that a manager views the site as', async () => {
    const customer = await app.user('viewed')
    await grant(app, shop, customer, ['access_site'])
    const viewed = await app.request('GET', shop.data('notes'), {
      token: shop.owner.token,
      headers: { 'x-view-as': String(customer.id) },
    })
    expect([viewed.status, await guestsOf(shop)]).toEqual([
      200,
      ['gallery-owner', 'member', 'reader', 'writer'],
    ])
  })

  it('are accounts that have signed up at it', async () => {
    await signUp('signed-up@example.org')
    expect(await guestsOf(shop)).toContain('signed-up@example.org')
  })

  it('are in the export of the account, until the account leaves the site', async () => {
    const token = await signUp('leaving@example.org')
    const exported = async () => (await app.request('GET', '/api/users/me/export/', { token })).body.guest_of
    const moment = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(await exported()).toEqual([{ site: 'gallery', since: moment, joined_at: moment }])
    const leave = () => app.request('DELETE', '/api/users/me/permissions/gallery/', { token })
    expect([(await leave()).status, (await leave()).status, await exported()]).toEqual([204, 404, []])
  })
})

describe('an account that the owner of another organization has created for the address of a person', () => {
  it('cannot be changed or deleted by that owner after the person has used a site as a guest', async () => {
    const account = await plant('early')
    const token = await takeOver(account)
    expect((await notes(token)).status).toBe(200)
    for (const body of [
      { password: planted },
      { email: 'mallory-2@example.org' },
      { is_active: false },
      { first_name: 'M' },
    ])
      expect(await byMallory('PATCH', '/api/users/early/', body)).toMatchObject(forbidden)
    expect(await byMallory('DELETE', '/api/users/early/')).toMatchObject(forbidden)
    expect((await signIn('early', planted)).status).toBe(401)
    expect((await notes(token)).status).toBe(200)
  })

  it('is not changed or deleted by the directory of that organization, which ends the membership', async () => {
    const account = await plant('listed')
    const token = await takeOver(account)
    expect((await notes(token)).status).toBe(200)
    const directory = await createDirectory(app, mallory)
    const renamed = await directory.call('PATCH', `/Users/${account.id}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'emails', value: [{ value: 'mallory-3@example.org' }] }],
    })
    expect(renamed.status).toBe(200)
    expect((await directory.call('DELETE', `/Users/${account.id}`)).status).toBe(204)
    const { status, body } = await app.request('GET', '/api/users/me/', { token })
    expect([status, body.email]).toEqual([200, account.email])
  })

  it('is of no use to the person after that owner replaces the proved address, so nothing new gets into it', async () => {
    const account = await plant('between')
    const token = await takeOver(account)
    const replaced = await byMallory('PATCH', '/api/users/between/', { email: 'mallory-4@example.org' })
    expect(replaced.status).toBe(200)
    expect((await notes(token)).status).toBe(401)
    expect((await signIn('between', own)).status).toBe(401)
  })

  it('keeps the password that the owner has set if an address is replaced that nobody has proved', async () => {
    await plant('unproved')
    const body = { email: 'unproved-2@example.org' }
    expect((await byMallory('PATCH', '/api/users/unproved/', body)).status).toBe(200)
    expect((await signIn('unproved', planted)).status).toBe(200)
  })
})

describe('a member of an organization', () => {
  it('cannot be changed by another organization after the membership has ended, because records may stay', async () => {
    const account = await plant('former')
    await app.sql(
      `insert into memberships (organization_id, user_id, role)
       select organization_id, $1, 'member' from sites where slug = 'gallery'`,
      [account.id],
    )
    expect((await notes((await signIn('former', planted)).body.access)).status).toBe(200)
    const ended = await app.request('DELETE', `/api/cloud/organizations/gallery-org/members/${account.id}/`, {
      token: shop.owner.token,
    })
    expect(ended.status).toBe(204)
    expect(await byMallory('PATCH', '/api/users/former/', { password: own })).toMatchObject(forbidden)
  })

  it('whom the organization has switched off does not return to it by the invitation of another one', async () => {
    const account = await plant('off')
    await signIn('off', planted)
    expect((await byMallory('PATCH', '/api/users/off/', { is_active: false })).status).toBe(200)
    const invited = await app.request('POST', '/api/cloud/organizations/gallery-org/invitations/', {
      token: shop.owner.token,
      body: { invitee_identifier: account.email, invitation_config: {} },
    })
    const body = {
      password: own,
      first_name: 'O',
      last_name: 'F',
      code: await invitationCode(app, invited.body),
    }
    const path = `/api/cloud/invitations/${invited.body.uuid}/accept/`
    expect((await app.request('POST', path, { body })).status).toBe(200)
    const { access } = (await signIn('off', own)).body
    const { body: shown } = await app.request('GET', '/api/cloud/organizations/', { token: access })
    expect(shown.results.map(({ slug }: { slug: string }) => slug)).toEqual(['gallery-org'])
  })
})

describe('a deletion that was planned before the owner of the address took over the account', () => {
  it('is cancelled by the proof; one that the person has planned stays', async () => {
    const account = await plant('doomed')
    const { access } = (await signIn('doomed', planted)).body
    expect((await app.request('DELETE', '/api/users/me/', { token: access })).status).toBe(200)
    const deletesAt = async () =>
      (await app.sql<{ deletes_at: unknown }>('select deletes_at from users where id = $1', [account.id]))[0]
        ?.deletes_at
    expect(await deletesAt()).not.toBeNull()
    const token = await takeOver(account)
    expect(await deletesAt()).toBeNull()
    expect((await app.request('DELETE', '/api/users/me/', { token })).status).toBe(200)
    await app.sql(`update account_emails set sent_at = now() - interval '2 minutes'`)
    await takeOver(account)
    expect(await deletesAt()).not.toBeNull()
  })
})

describe('the provider of another organization', () => {
  it('opens the account of a guest only with the mailed code', async () => {
    await signUp('shopper@example.org')
    const answer = await mallory.signIn('one', verified('shopper', 'shopper@example.org'))
    expect([answer.status, answer.body]).toEqual([
      403,
      {
        detail: expect.stringContaining('A code was sent'),
        confirmation: expect.any(String),
        code: 'confirmation_required',
      },
    ])
  })

  it('cannot change the e-mail address or delete the account of a person who became a guest afterwards', async () => {
    const name = 'afterwards'
    const { access } = (await mallory.signIn('one', verified(name))).body
    const token = await takeOver({ username: `${name}@example.org`, email: `${name}@example.org` })
    expect([(await app.request('GET', '/api/users/me/', { token: access })).status]).toEqual([401])
    expect((await notes(token)).status).toBe(200)
    const again = await mallory.signIn('one', verified(name))
    expect([again.status, again.body.confirmation]).toEqual([403, expect.any(String)])
  })
})

describe('a permission that an account was given without its consent', () => {
  let stranger: User
  beforeAll(async () => {
    stranger = await app.user('stranger')
    await app.sql('update users set email_verified_at = now() where id = $1', [stranger.id])
    await addTables(app, mallory, [
      {
        name: 'baits',
        schema: {
          fields: [
            { name: 'id', type: 'integer' },
            { name: 'address', type: 'string' },
          ],
          primaryKey: 'id',
          access: {
            rules: [{ name: 'r', who: 'signed-in', can: ['read'], where: { address: { $: 'user.email' } } }],
          },
        },
      },
    ])
    await byMallory('POST', `${mallory.api}/apps/shop/datatables/baits/data/`, { id: 1, address: 'x' })
    await byMallory('PUT', `/api/cloud/sites/mallory/permissions/${stranger.id}/`, {
      permissions: ['view_site'],
    })
  })
  const explained = () =>
    byMallory('POST', `${mallory.api}/apps/shop/datatables/baits/access/explain/`, {
      as: { user: stranger.id },
      action: 'read',
      record: 1,
    })

  it('does not tell the name of the account in the audit', async () => {
    const path = '/api/cloud/sites/mallory/audit/?kind=permission'
    const { body } = await byMallory('GET', path)
    expect(
      body.results.map((entry: { object_id: string; object: string }) => [entry.object_id, entry.object]),
    ).toEqual([[String(stranger.id), null]])
  })

  it('has the name of the program that granted it in the audit', async () => {
    const given = await app.user('given')
    await app.sql(
      `with noted as (select set_config('tessera.actor', 'npm run admin', true))
       insert into site_permissions (site_id, user_id, permissions)
       select s.id, $1, '{view_site}' from noted, sites s where s.slug = 'mallory'`,
      [given.id],
    )
    const { body } = await byMallory('GET', '/api/cloud/sites/mallory/audit/?kind=permission')
    expect(body.results[0]).toMatchObject({ object_id: String(given.id), object: null })
    expect(JSON.stringify(body.results[0].actor)).toContain('npm run admin')
  })

  it('does not tell the name and the network address of a person who declines it', async () => {
    const shy = await app.user('shy')
    const path = `/api/cloud/sites/mallory/permissions/${shy.id}/`
    await byMallory('PUT', path, { permissions: ['view_site'] })
    const declined = await app.request('DELETE', '/api/users/me/permissions/mallory/', { token: shy.token })
    expect(declined.status).toBe(204)
    const { body } = await byMallory('GET', '/api/cloud/sites/mallory/audit/?kind=permission&action=delete')
    expect(body.results[0]).toMatchObject({ object: null, address: null })
    expect(JSON.stringify(body.results[0])).not.toContain('shy')
  })

  it('does not tell the address or the name of the account by an explanation or a view of the site', async () => {
    const { status, body } = await explained()
    expect([status, body.rules[0].conditions[0].compared]).toEqual([200, null])
    const viewed = await app.request('GET', `${mallory.api}/apps/shop/datatables/baits/data/`, {
      token: mallory.owner.token,
      headers: { 'x-view-as': String(stranger.id) },
    })
    expect([viewed.status, viewed.body.total]).toEqual([200, 0])
    const seen = await byMallory('GET', '/api/cloud/sites/mallory/audit/?kind=view_as')
    expect(seen.body.results[0]).toMatchObject({ object_id: String(stranger.id), object: null })
  })

  it('tells them once the person has used the site', async () => {
    const path = `${mallory.api}/apps/shop/datatables/baits/data/`
    expect((await app.request('GET', path, { token: stranger.token })).status).toBe(200)
    const { status, body } = await explained()
    expect([status, body.rules[0].conditions[0].compared]).toEqual([200, stranger.email])
  })
})

describe('an explanation', () => {
  it('returns 403 to a stranger, whether the person or the group exists or not', async () => {
    const stranger = await app.user('curious')
    const path = `${shop.api}/apps/shop/datatables/notes/access/explain/`
    for (const as of [{ user: shop.owner.id }, { user: 999_999 }, { group: 'none' }, { anyone: true }])
      expect([
        as,
        await app.request('POST', path, { token: stranger.token, body: { as, action: 'read' } }),
      ]).toEqual([as, expect.objectContaining(forbidden)])
  })
})

describe('an account for an address that others have invited', () => {
  it('lists their invitations in its export only after the address is verified', async () => {
    const email = 'wanted@example.org'
    await app.request('POST', '/api/cloud/organizations/gallery-org/invitations/', {
      token: shop.owner.token,
      body: { invitee_identifier: email, invitation_config: {} },
    })
    await plant('wanted')
    const { access } = (await signIn('wanted', planted)).body
    const invitations = async (token: string) =>
      (await app.request('GET', '/api/users/me/export/', { token })).body.invitations
    expect(await invitations(access)).toEqual([])
    const token = await takeOver({ username: 'wanted', email })
    expect(await invitations(token)).toEqual([expect.objectContaining({ organization: 'gallery-org' })])
  })
})

describe('an e-mail link that somebody requests at their own site for an address', () => {
  it('does not tell the site of the account that opens it, if the account has no tie to the site', async () => {
    await addTables(app, mallory, [
      { name: 'empty', schema: { fields: [{ name: 'id', type: 'integer' }], primaryKey: 'id' } },
    ])
    const made = await byMallory('POST', `${mallory.api}/apps/shop/functions/`, {
      name: 'ear',
      execution_mode: 'system',
      system_function: 'noop',
    })
    await byMallory('POST', `${mallory.api}/cloud/events/POST_USER_UPDATE/subscribe/`, {
      function_id: made.body.id,
    })
    const runs = async () => {
      await queue.drain(app.env)
      return (await byMallory('GET', `${mallory.api}/invocations/?function_slug=ear`)).body.results
    }
    const reset = async (email: string) => {
      await app.request('POST', `${mallory.api}/auth/password/reset/`, { body: { email } })
      const body = { token: await linkTokenOf(app, email), password: own }
      expect(
        (await app.request('POST', `${mallory.api}/auth/password/reset/confirm/`, { body })).status,
      ).toBe(200)
    }
    const person = await app.user('nobodys')
    await reset(person.email)
    expect(await runs()).toEqual([])
    await app.sql(
      `insert into site_guests (user_id, site_id) select $1, id from sites where slug = 'mallory'`,
      [person.id],
    )
    await app.sql(`update account_emails set sent_at = now() - interval '2 minutes'`)
    await reset(person.email)
    expect((await runs()).map(({ event }: { event: string }) => event)).toEqual(['POST_USER_UPDATE'])
  })
})
