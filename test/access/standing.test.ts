/** The standing of guests: how Postgres describes each caller, and which callers it lets in as guests. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Caller, RequestContext } from '../../src/kernel/context.ts'
import { CatalogMoved } from '../../src/kernel/db/entering.ts'
import { DatabaseFailure } from '../../src/kernel/db/failures.ts'
import { knownStanding, StandingMoved } from '../../src/kernel/db/known-standing.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { inTenant, requireAccess } from '../../src/kernel/db/tenant.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { anyone, type Standing } from '../../src/kernel/standing.ts'
import { createSite, type Site, startApp, type TestApp, type User } from '../support/app.ts'
import { grant } from '../support/fixtures.ts'
import { asGuest, guestContext } from '../support/guests.ts'

let app: TestApp
let desk: Site
let sister: Site
let foreign: Site

beforeAll(async () => {
  app = await startApp()
  desk = await createSite(app, 'desk')
  foreign = await createSite(app, 'foreign')
  const made = await app.request('POST', '/api/cloud/organizations/desk-org/sites/', {
    token: desk.owner.token,
    body: { name: 'Sister', slug: 'sister' },
  })
  sister = { ...desk, slug: 'sister', api: '/sites/sister/api', schema: made.body.schema_name }
})

const idOf = ({ schema }: Site): number => Number(schema.slice('site_'.length))
const organizationOf = async ({ slug }: Site): Promise<number> => {
  const [row] = await app.sql<{ id: string }>('select organization_id as id from sites where slug = $1', [
    slug,
  ])
  return Number(row?.id)
}
const join = async (user: User, site: Site, role = 'member') =>
  app.sql('insert into memberships (organization_id, user_id, role) values ($1, $2, $3)', [
    await organizationOf(site),
    user.id,
    role,
  ])
const addToGroup = async (user: User, site: Site, name: string) =>
  app.sql(
    `with g as (insert into groups (organization_id, name) values ($1, $2)
                on conflict (organization_id, lower(name)) do update set name = excluded.name returning id)
     insert into group_members (group_id, user_id) select g.id, $3 from g`,
    [await organizationOf(site), name, user.id],
  )
const link = (user: User, site: Site) =>
  app.sql(
    `insert into social_accounts (site_id, social_app_id, issuer, subject, user_id)
     values ($1, 1, 'issuer', $2, $3)`,
    [idOf(site), `subject-${user.id}`, user.id],
  )

/** Returns a context whose caller is changed as a token would change it. */
const contextFor = (user: User | undefined, caller: Partial<Caller> = {}, site: Site = desk) => {
  const ctx = guestContext(app, site, user)
  if (ctx.caller) Object.assign(ctx.caller, caller)
  return ctx
}

const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'entered',
    (error: unknown) => {
      if (error instanceof StandingMoved) return 'moved'
      if (error instanceof CatalogMoved) return 'catalog moved'
      if (error instanceof AppError) return [error.status, error.body]
      return error instanceof DatabaseFailure ? error.sqlstate : error
    },
  )

/**
 * Returns the standing from Postgres. It comes with the error for a plan that was made for another standing.
 */
async function learned(ctx: RequestContext): Promise<Standing | undefined> {
  const planned = { siteId: null, catalogVersion: null, standing: { ...anyone, groups: ['nobody has it'] } }
  expect(await outcome(inTenant(ctx, 'read', {}, { planned }))).toBe('moved')
  return knownStanding(ctx)
}

/** Returns the claims of a caller in `desk`, without the site. */
async function claimsOf(ctx: RequestContext, standing: Standing): Promise<unknown> {
  const results = await asGuest(ctx, standing, [sql`select tessera.claims() as claims`])
  const { site, ...claims } = results.one<{ claims: { site: number } }>().claims
  expect(site).toBe(idOf(desk))
  return claims
}

const refused401 = [
  401,
  { detail: 'The credentials are invalid or have expired.', code: 'invalid_credentials' },
]

describe('a caller who enters as a guest', () => {
  const stands = { signedIn: true, user: false, groups: [], permissions: [], roles: [] }

  it('gets 401 if the account is inactive, or its sign-ins have ended', async () => {
    const user = await app.user('ended')
    await app.sql('update users set is_active = false where id = $1', [user.id])
    expect(await outcome(asGuest(contextFor(user), stands, []))).toEqual(refused401)
    await app.sql('update users set is_active = true, generation = 2 where id = $1', [user.id])
    expect(await outcome(asGuest(contextFor(user), stands, []))).toEqual(refused401)
    expect(await outcome(asGuest(contextFor(user, { generation: 2 }), stands, []))).toBe('entered')
  })

  it('gets 401 with a session that has ended', async () => {
    const user = await app.user('out')
    const session = crypto.randomUUID()
    const ctx = () => contextFor(user, { session })
    expect(await outcome(asGuest(ctx(), stands, []))).toBe('entered')
    await app.sql(
      `insert into refresh_families (id, user_id, current, revoked_at, expires_at)
       values ($1, $2, gen_random_uuid(), now(), now() + interval '1 day')`,
      [session, user.id],
    )
    expect(await outcome(asGuest(ctx(), stands, []))).toEqual(refused401)
  })

  it('gets 401 with a sign-in by a provider that is no longer linked to the account', async () => {
    const user = await app.user('unlinked')
    const organizationId = await organizationOf(desk)
    const member = { ...stands, user: true }
    await link(user, desk)
    expect(await outcome(asGuest(contextFor(user, { organizationId }), member, []))).toBe('entered')
    await app.sql('delete from social_accounts where user_id = $1', [user.id])
    expect(await outcome(asGuest(contextFor(user, { organizationId }), member, []))).toEqual(refused401)
  })

  it('gets 404 if the site does not exist, and 401 without credentials', async () => {
    const user = await app.user('lost')
    const nowhere = { ...desk, slug: 'nowhere' }
    expect(await outcome(asGuest(contextFor(user, {}, nowhere), stands, []))).toEqual([
      404,
      { detail: 'Not found.', hint: 'There is no site "nowhere".', code: 'not_found' },
    ])
    expect(await outcome(asGuest(contextFor(undefined, {}, nowhere), anyone, []))).toEqual([
      401,
      { detail: 'Authentication credentials were not provided.', code: 'not_authenticated' },
    ])
  })

  it('needs a new plan if the catalog has changed', async () => {
    const planned = { siteId: idOf(desk), catalogVersion: 10 ** 9, standing: anyone }
    expect(await outcome(inTenant(contextFor(undefined), 'read', {}, { planned }))).toBe('catalog moved')
  })

  it('is refused by Postgres in the mode that changes the schema', async () => {
    const planned = { siteId: null, catalogVersion: null, standing: anyone }
    expect(await outcome(inTenant(contextFor(undefined), 'schema', {}, { planned }))).toBe('P0001')
  })

  it('has the time limit of the site', async () => {
    await app.sql(`update sites set statement_timeout_ms = 300 where slug = 'desk'`)
    const slow = asGuest(contextFor(undefined), anyone, [sql`select pg_sleep(5)`])
    expect(await outcome(slow)).toBe('57014')
    await app.sql(`update sites set statement_timeout_ms = null where slug = 'desk'`)
  })
})

describe('the standing of a caller', () => {
  const nobody = { signed_in: false, user: false, groups: [], permissions: [], roles: [] }

  it('is that of an anonymous caller without credentials', async () => {
    const ctx = contextFor(undefined)
    expect(knownStanding(ctx)).toEqual(anyone)
    expect(await claimsOf(ctx, anyone)).toEqual({ ...nobody, id: null, uuid: null, email: null })
  })

  const callers: [
    who: string,
    standing: Omit<Standing, 'signedIn'>,
    make: (user: User) => Promise<unknown>,
  ][] = [
    ['an account', { user: false, groups: [], permissions: [], roles: [] }, async () => undefined],
    [
      'an account that a provider of another site opens',
      { user: false, groups: [], permissions: [], roles: [] },
      (user) => link(user, sister),
    ],
    [
      'a member of another organization, with groups and permissions there',
      { user: false, groups: [], permissions: [], roles: [] },
      async (user) => {
        await join(user, foreign, 'owner')
        await addToGroup(user, foreign, 'agents')
        await grant(app, foreign, user, ['access_site', 'view_site'])
      },
    ],
    [
      'an account with an empty list of permissions',
      { user: false, groups: [], permissions: [], roles: [] },
      (user) => grant(app, desk, user, []),
    ],
    [
      'an account that a provider of the site opens',
      { user: true, groups: [], permissions: [], roles: [] },
      (user) => link(user, desk),
    ],
    [
      'a holder of permissions but access_site',
      { user: true, groups: [], permissions: ['change_site', 'view_site'], roles: [] },
      (user) => grant(app, desk, user, ['view_site', 'change_site']),
    ],
    [
      'a member of the organization',
      { user: true, groups: [], permissions: [], roles: [] },
      (user) => join(user, desk),
    ],
    [
      'a member in groups',
      { user: true, groups: ['Zoo', 'agents', 'é'], permissions: [], roles: [] },
      async (user) => {
        await join(user, desk)
        for (const name of ['é', 'agents', 'Zoo']) await addToGroup(user, desk, name)
        await addToGroup(user, foreign, 'elsewhere')
      },
    ],
  ]

  it.each(callers)('comes from Postgres for %s', async (who, expected, make) => {
    const user = await app.user(who.replaceAll(/\W+/g, '-'))
    await make(user)
    const ctx = contextFor(user)
    expect(knownStanding(ctx)).toBeUndefined()
    const standing = { signedIn: true, ...expected }
    expect(await learned(ctx)).toEqual(standing)
    const [{ uuid } = { uuid: '' }] = await app.sql<{ uuid: string }>(
      'select uuid from users where id = $1',
      [user.id],
    )
    expect(await claimsOf(ctx, standing)).toEqual({
      ...expected,
      signed_in: true,
      id: user.id,
      uuid,
      email: null,
    })
  })

  it('does not exist for a caller who has access_site', async () => {
    const admin = await app.user('an-admin')
    await join(admin, desk, 'admin')
    const holder = await app.user('a-holder')
    await grant(app, desk, holder, ['access_site'])
    const administrator = await app.user('an-administrator')
    await grant(app, desk, administrator, ['admin_site'])
    const root = await app.user('a-superuser', { superuser: true })
    for (const user of [desk.owner, admin, holder, administrator, root])
      expect(await learned(contextFor(user))).toBeUndefined()
  })

  it('has the e-mail address only if the service has verified it', async () => {
    const user = await app.user('proven')
    await app.sql('update users set email_verified_at = now() where id = $1', [user.id])
    const standing = (await learned(contextFor(user))) as Standing
    expect(await claimsOf(contextFor(user), standing)).toMatchObject({ email: 'proven@example.org' })
  })

  it('is that of an anonymous caller for a sign-in by the provider of another organization', async () => {
    const organizationId = await organizationOf(foreign)
    const user = await app.user('vouched-for')
    await link(user, foreign)
    await join(user, desk, 'owner')
    const ctx = () => contextFor(user, { organizationId })
    expect(await learned(ctx())).toEqual(anyone)
    expect(await claimsOf(ctx(), anyone)).toEqual({ ...nobody, id: null, uuid: null, email: null })
  })

  it('is none for a superuser who was signed in by a provider before', async () => {
    const user = await app.user('vouched-root', { superuser: true })
    await link(user, foreign)
    const ctx = contextFor(user, { organizationId: await organizationOf(foreign) })
    expect(await outcome(inTenant(ctx, 'read', {}))).toEqual(refused401)
  })

  it('is noted by no event and no version for a sign-in by the provider of another organization', async () => {
    const user = await app.user('vouched-writer')
    await link(user, foreign)
    await join(user, desk, 'owner')
    const noted = sql`select current_setting('tessera.caller') as caller, current_setting('tessera.username') as name`
    const written = async (ctx: RequestContext, standing: Standing) =>
      (await asGuest(ctx, standing, [noted], 'write')).one()
    const organizationId = await organizationOf(foreign)
    expect(await written(contextFor(user, { organizationId }), anyone)).toEqual({ caller: '', name: '' })
    const guest = await app.user('noted-writer')
    const standing = { ...anyone, signedIn: true }
    expect(await written(contextFor(guest), standing)).toEqual({
      caller: String(guest.id),
      name: 'noted-writer',
    })
  })

  it('comes with the error for a caller who was taken for a member', async () => {
    const user = await app.user('taken-for-a-member')
    await grant(app, desk, user, ['view_site'])
    const ctx = contextFor(user)
    const asMember = { siteId: null, catalogVersion: null }
    expect(await outcome(inTenant(ctx, 'read', {}, { planned: asMember }))).toBe('moved')
    const known = knownStanding(ctx) as Standing
    expect(known).toEqual({ signedIn: true, user: true, groups: [], permissions: ['view_site'], roles: [] })
    expect(await outcome(asGuest(ctx, known, []))).toBe('entered')
  })

  it('causes an error if rights were added or removed after it was cached', async () => {
    const user = await app.user('moving')
    await join(user, desk)
    const before = (await learned(contextFor(user))) as Standing
    await addToGroup(user, desk, 'movers')
    expect(await outcome(asGuest(contextFor(user), before, []))).toBe('moved')
    const after = knownStanding(contextFor(user)) as Standing
    expect(after.groups).toEqual(['movers'])
    await grant(app, desk, user, ['access_site'])
    expect(await outcome(asGuest(contextFor(user), after, []))).toBe('moved')
    expect(knownStanding(contextFor(user))).toBeUndefined()
  })

  it('is cached also by a request that only checks access', async () => {
    const user = await app.user('visiting')
    await requireAccess(contextFor(user))
    expect(knownStanding(contextFor(user))).toEqual({ ...anyone, signedIn: true })
    await requireAccess(contextFor(undefined))
  })

  it('is not used by a route that is closed to guests', async () => {
    const user = await app.user('elsewhere')
    const forMembers = { ...contextFor(user), forGuests: false }
    expect(await outcome(requireAccess(forMembers))).toEqual([
      403,
      { detail: 'You do not have permission to perform this action.', code: 'permission_denied' },
    ])
    expect(knownStanding(contextFor(user))).toBeUndefined()
    const { roundTrips } = { ...contextFor(undefined) }.database.spent
    const anonymous = { ...contextFor(undefined), forGuests: false }
    expect(await outcome(requireAccess(anonymous))).toEqual([
      401,
      { detail: 'Authentication credentials were not provided.', code: 'not_authenticated' },
    ])
    expect(anonymous.database.spent.roundTrips).toBe(roundTrips)
  })
})
