/**
 * What somebody else sets on an account (a password, an address) is told to the address that the account had
 * before, whichever operation it was; a changed address to both. T10.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp, type User } from '../support/app.ts'
import { lettersTo, sendAccountEmails } from '../support/letters.ts'
import { createDirectory, type Directory, patch } from '../support/scim.ts'

const password = 'Another-horse-2'
let app: TestApp
let site: Site
let directory: Directory

beforeAll(async () => {
  app = (await startApp()).with({ EMAIL_TRANSPORT: 'mailbox', PUBLIC_URL: 'https://app.example.com' })
  site = await createSite(app, 'harbour')
  directory = await createDirectory(app, site)
})

async function member(): Promise<User> {
  const user = await app.user(`person-${crypto.randomUUID()}`, { password: 'Correct-horse-1' })
  await app.sql(
    `insert into memberships (organization_id, user_id, role) select organization_id, $1, 'member' from sites where slug = $2`,
    [user.id, site.slug],
  )
  return user
}

/** Returns the subjects of the letters to an address, the oldest first. */
async function subjectsTo(address: string): Promise<string[]> {
  await sendAccountEmails(app)
  return (await lettersTo(app, address)).map(({ subject }) => subject).reverse()
}

const change = ({ username }: User, body: unknown, token = site.owner.token) =>
  app.request('PATCH', `/api/users/${username}/`, { token, body })
const setAddress = ({ id }: User, address: string) =>
  directory.call(
    'PATCH',
    `/Users/${id}`,
    patch({ op: 'replace', path: 'emails', value: [{ value: address }] }),
  )

const passwordChanged = 'Your password was changed'
const addressChanged = 'Your e-mail address was changed'

describe('the owner of an account gets an e-mail', () => {
  it('not about other names, and not if nothing changed', async () => {
    const user = await member()
    expect((await change(user, { first_name: 'Ada', email: user.email.toUpperCase() })).status).toBe(200)
    expect(await subjectsTo(user.email)).toEqual([])
  })

  it('about a password that a manager sets', async () => {
    const user = await member()
    expect((await change(user, { password })).status).toBe(200)
    expect(await subjectsTo(user.email)).toEqual([passwordChanged])
  })

  it('at both addresses about an address that a manager sets, and about a password at the former one', async () => {
    const user = await member()
    const next = `next-${user.email}`
    expect((await change(user, { email: next, password })).status).toBe(200)
    expect((await subjectsTo(user.email)).sort()).toEqual([addressChanged, passwordChanged])
    expect(await subjectsTo(next)).toEqual([addressChanged])
  })

  it('at both addresses about an address that a superuser sets', async () => {
    const user = await member()
    const root = await app.user('root', { superuser: true })
    const next = `next-${user.email}`
    expect((await change(user, { email: next }, root.token)).status).toBe(200)
    expect([await subjectsTo(user.email), await subjectsTo(next)]).toEqual([
      [addressChanged],
      [addressChanged],
    ])
  })

  it('at both addresses about an address that the directory of an organization sets', async () => {
    const user = await member()
    const next = `next-${user.email}`
    expect((await setAddress(user, next)).status).toBe(200)
    expect([await subjectsTo(user.email), await subjectsTo(next)]).toEqual([
      [addressChanged],
      [addressChanged],
    ])
  })

  it('once about the whole change if the address that is replaced was proved, which removes the password', async () => {
    const user = await member()
    await app.sql('update users set email_verified_at = now() where id = $1', [user.id])
    expect((await change(user, { email: `next-${user.email}` })).status).toBe(200)
    expect(await subjectsTo(user.email)).toEqual([addressChanged])
  })
})
