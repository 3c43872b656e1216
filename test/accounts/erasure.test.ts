/** A deleted account leaves nothing that names its person. T7. */
import { beforeAll, expect, it } from 'vitest'
import { runScheduledTasks } from '../../src/schedule.ts'
import { createSite, type Site, startApp, type TestApp } from '../support/app.ts'
import { type Guarded, password, provenUser, unusedCode, withTotp } from '../support/factors.ts'
import { grant } from '../support/fixtures.ts'
import { sendAccountEmails } from '../support/letters.ts'

let app: TestApp
let site: Site

const name = 'vanishing-person'
const organization = '/api/cloud/organizations/acme-org'
/** The IP address of the person. */
const address = '198.51.100.77'

beforeAll(async () => {
  app = await startApp({
    EMAIL_TRANSPORT: 'mailbox',
    PUBLIC_URL: 'http://localhost',
    RATE_LIMIT_SCALE: '1000',
  })
  site = await createSite(app, 'acme')
})

/** Sends a request from the person. */
const post = (path: string, body: unknown, token?: string) =>
  app.request('POST', path, {
    body,
    headers: { 'cf-connecting-ip': address, origin: 'http://localhost' },
    ...(token === undefined ? {} : { token }),
  })
const postAsOwner = (path: string, body: unknown) =>
  app.request('POST', path, { body, token: site.owner.token })

/** Returns the tables of the platform and the site that have rows with one of the person's texts. */
async function tablesThatName(...texts: string[]): Promise<string[]> {
  const tables = await app.sql<{ name: string; query: string }>(
    `select t.table_name as name, format('select from %I.%I t where t::text ~* $1 limit 1', t.table_schema, t.table_name)
              as query
       from information_schema.tables t
      where t.table_type = 'BASE TABLE' and t.table_schema in ('public', 'tenant', $1) order by t.table_name`,
    [site.schema],
  )
  const found: string[] = []
  for (const { name: table, query } of tables)
    if ((await app.sql(query, [texts.join('|').replaceAll('.', '\\.')])).length > 0) found.push(table)
  return found
}

/** Creates a member with a key, a second factor, a trusted browser and a record in a directory. */
async function makeMember(): Promise<Guarded> {
  const person = await withTotp(app, await provenUser(app, name))
  await grant(app, site, person, ['access_site'])
  const { key } = (await postAsOwner(`${organization}/scim-keys/`, { name: 'Okta' })).body
  const told = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: person.email,
    externalId: name,
  }
  const created = await app.request('POST', `${organization}/scim/v2/Users`, {
    body: told,
    token: key,
    headers: { 'content-type': 'application/scim+json' },
  })
  expect(created.status).toBe(201)
  const [invitation] = await app.sql<{ uuid: string }>('select uuid from invitations where invitee = $1', [
    person.id,
  ])
  const accepted = await post(
    `/api/cloud/invitations/${invitation?.uuid}/accept/`,
    {
      password: 'Another-horse-2',
      first_name: 'Vanishing',
      last_name: 'Person',
    },
    person.token,
  )
  expect(accepted.status).toBe(200)
  return person
}

it('a deleted account leaves nothing that names its person, not even in the audit log', async () => {
  const person = await makeMember()
  const signedIn = await post('/api/auth/session/', {
    username: name,
    password,
  })
  const { challenge } = signedIn.body
  const code = await unusedCode(app, person)
  expect(
    (
      await post('/api/auth/session/factor/', {
        challenge,
        code,
        trust_device: true,
      })
    ).status,
  ).toBe(200)
  const { body } = await post('/api/auth/jwt/token/', {
    username: name,
    password,
  })
  const again = {
    challenge: body.challenge,
    code: await unusedCode(app, person),
  }
  const token = (await post('/api/auth/factor/', again)).body.access
  expect((await post(`${site.api}/api-keys/`, { name: 'till' }, token)).status).toBe(201)
  await postAsOwner(`${organization}/invitations/`, {
    invitee_identifier: 'other@example.org',
  })
  expect(await tablesThatName(name, address)).toEqual([
    'account_emails',
    'audit_entries',
    'invitations',
    'scim_users',
    'users',
  ])
  expect((await app.request('DELETE', '/api/users/me/', { token })).status).toBe(200)
  await app.sql(`update users set deletes_at = now() - interval '1 minute' where id = $1`, [person.id])
  await runScheduledTasks(app.env)
  await sendAccountEmails(app)
  // Within an hour, the notice about the deletion is deleted too. The mailbox of development keeps its
  // e-mails.
  await app.sql('update account_emails set expires_at = now()')
  await runScheduledTasks(app.env)
  expect(await tablesThatName(name, address)).toEqual(['mailbox_letters'])
  const owned = await app.sql<{ table: string }>(
    `select c.table_name as table from information_schema.columns c
      where c.table_schema = 'public' and c.column_name = 'user_id'`,
  )
  for (const { table } of owned)
    expect([table, await app.sql(`select from ${table} where user_id = $1`, [person.id])]).toEqual([
      table,
      [],
    ])
})

it('the audit log still tells users apart by their ids', async () => {
  const list = await app.request('GET', `${organization}/audit/?kind=api_key`, {
    token: site.owner.token,
  })
  expect(list.body.results).toMatchObject([
    {
      action: 'delete',
      actor: { id: expect.any(Number), username: '' },
      address: null,
    },
    {
      action: 'create',
      actor: { id: expect.any(Number), username: '' },
      address: null,
    },
  ])
})

it('an account that somebody else deletes keeps its name in the audit log', async () => {
  const root = await app.user('root', { superuser: true })
  const left = await app.user('removed-person')
  await grant(app, site, left, ['access_site'])
  expect(
    (
      await app.request('DELETE', `/api/users/${left.username}/`, {
        token: root.token,
      })
    ).status,
  ).toBe(204)
  expect(await tablesThatName('removed-person')).toContain('audit_entries')
})
