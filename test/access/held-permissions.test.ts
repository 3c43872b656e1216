/** The rule of permissions: each door of the database gives a random account what an evaluator gives it. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { selectEnterableSites } from '../../src/identity/organizations/sites/service.ts'
import { permissions } from '../../src/kernel/permissions.ts'
import { createSite, type Site, startApp, type TestApp, type User } from '../support/app.ts'
import { grant } from '../support/fixtures.ts'
import { guestContext } from '../support/guests.ts'
import { runs } from '../support/runs.ts'
import { seed } from '../support/seed.ts'

/** What a random account is and has. Its sign-in counts everywhere, or only in one organization. */
interface Account {
  isSuperuser: boolean
  role: 'owner' | 'admin' | 'member' | null
  /** Its role in the organization of another site. */
  roleElsewhere: 'owner' | 'admin' | 'member' | null
  held: string[] | null
  signedInAt: 'everywhere' | 'the organization' | 'another organization'
  /** Whether it has begun the transfer. */
  isTransferrer: boolean
  asked: string
}

const someRole = fc.constantFrom('owner', 'admin', 'member', null, null, null)
const someAccount: fc.Arbitrary<Account> = fc.record({
  isSuperuser: fc.constantFrom(true, false, false, false),
  role: someRole,
  roleElsewhere: someRole,
  held: fc.option(fc.subarray([...permissions], { maxLength: 3 })),
  signedInAt: fc.constantFrom('everywhere', 'everywhere', 'the organization', 'another organization'),
  isTransferrer: fc.boolean(),
  asked: fc.constantFrom(...permissions),
})

const isManager = (role: string | null): boolean => role === 'owner' || role === 'admin'

/** Tells what an explanation says about the changes of an account; null: it is a guest. */
function mayChange({ isSuperuser, role, held }: Account): string | null {
  // Nobody sees what a superuser sees.
  if (isSuperuser) return 'TS431'
  const has = (permission: string) =>
    isManager(role) || [permission, 'admin_site'].some((each) => held?.includes(each))
  return has('access_site') ? String(has('change_site')) : null
}

/** Evaluates the rule without Postgres: what each door is to say about an account. */
function evaluate(account: Account): object {
  const { isSuperuser, role, roleElsewhere, held, signedInAt, isTransferrer, asked } = account
  const isElsewhere = signedInAt === 'another organization'
  const manages = (isSuperuser || isManager(role)) && !isElsewhere
  const given = isElsewhere ? [] : (held ?? [])
  const all = manages || given.includes('admin_site')
  const holds = (permission: string) => all || given.includes(permission)
  // The sign-in of a superuser counts in no single organization.
  const isSignedOut = isSuperuser && signedInAt !== 'everywhere'
  const at = (may: boolean, refusal: string, answer = 'true') => {
    if (isSignedOut) return 'TS401'
    return may ? answer : refusal
  }
  const names = all ? [...permissions] : given
  const belongs = names.length > 0 || (role !== null && !isElsewhere)
  return {
    enter: at(holds(asked), 'TS403'),
    enterAsAnybody: at(true, ''),
    enterSite: at(holds(asked), 'TS403', names.toSorted().join()),
    enterAnySite: at(belongs, 'TS403', names.toSorted().join()),
    holds: String(holds(asked)),
    isMember: String(holds('access_site')),
    readsSecrets: String(holds('access_site')),
    ownsSecrets: String((isSuperuser || role === 'owner') && !isElsewhere),
    transfer: at(manages || (isTransferrer && given.includes('admin_site')), 'TS404'),
    mayChange: mayChange(account),
    manages: [
      isManager(role) && !isElsewhere ? 'desk-org' : [],
      isManager(roleElsewhere) && signedInAt !== 'the organization' ? 'foreign-org' : [],
    ]
      .flat()
      .join(),
    invites: String(isSuperuser || isManager(role)),
    hasNotice: isManager(role) || (held ?? []).includes('admin_site'),
    enterable: [
      holds('access_site') ? 'desk' : [],
      (isSuperuser || isManager(roleElsewhere)) && signedInAt !== 'the organization' ? 'foreign' : [],
    ].flat(),
  }
}

let app: TestApp
let desk: Site
let user: User
let ids: Record<'site' | 'organization' | 'elsewhere', number>
const transfer = crypto.randomUUID()

beforeAll(async () => {
  app = await startApp()
  desk = await createSite(app, 'desk')
  await createSite(app, 'foreign')
  user = await app.user('anybody')
  const [row] = await app.sql<typeof ids>(
    `select d.id::int8::text::float8 as site, d.organization_id::float8 as organization,
            f.organization_id::float8 as elsewhere
       from sites d, sites f where d.slug = 'desk' and f.slug = 'foreign'`,
  )
  ids = row as typeof ids
  // Providers of both sites open the account, so that a sign-in by either counts.
  await app.sql(
    `insert into social_accounts (site_id, social_app_id, issuer, subject, user_id)
     select s.id, 1, 'issuer', s.slug, $1 from sites s`,
    [user.id],
  )
  await app.sql(
    `insert into transfers (id, kind, organization_id, site_id, slug, state, generation, expires_at)
     values ($1, 'export', $2, $3, 'desk', 'done', 1, now() + interval '1 day')`,
    [transfer, ids.organization, ids.site],
  )
  await app.sql(`insert into site_limits (site_id, measure, soft) values ($1, 'requests', 0)`, [ids.site])
  await app.sql(`
    create function public.outcome(p_statement text) returns text language plpgsql as $$
    declare
      answer text;
    begin
      execute p_statement into answer;
      return answer;
    exception when others then
      return sqlstate;
    end $$`)
})

/** Gives the user what a random account has. */
async function become({ isSuperuser, role, roleElsewhere, held, isTransferrer }: Account): Promise<void> {
  await app.sql('update users set is_superuser = $2 where id = $1', [user.id, isSuperuser])
  await app.sql('delete from memberships where user_id = $1', [user.id])
  await app.sql('delete from site_permissions where user_id = $1', [user.id])
  for (const [organization, its] of [
    [ids.organization, role],
    [ids.elsewhere, roleElsewhere],
  ])
    if (its !== null)
      await app.sql('insert into memberships (organization_id, user_id, role) values ($1, $2, $3)', [
        organization,
        user.id,
        its,
      ])
  if (held) await grant(app, desk, user, held)
  await app.sql('update transfers set created_by = $1', [isTransferrer ? user.id : desk.owner.id])
}

/** Returns what each door says: the answer as text, or the SQLSTATE of its refusal. */
async function ask({ signedInAt, asked }: Account): Promise<object> {
  const at = { everywhere: null, 'the organization': ids.organization, 'another organization': ids.elsewhere }
  const caller = `row(${user.id}, 1, ${at[signedInAt]}, null, null, null, null, null, null)::public.caller`
  const site = `null, 'desk', ${caller}`
  const doors = {
    enter: `select 'true' from public.enter(${site}, '${asked}', row(null, null, 'read', 1000))`,
    enterAsAnybody: `select 'true' from public.enter(${site}, null, row(null, null, 'read', 1000))`,
    enterSite: heldIn(`public.enter_site(${caller}, 'desk', '${asked}')`),
    enterAnySite: heldIn(`public.enter_site(${caller}, 'desk', null)`),
    holds: `select public.holds(${site}, '${asked}')`,
    isMember: `select public.claims_of(${ids.site}, ${caller}) is null`,
    readsSecrets: `select may_read from public.introduce(${site})`,
    ownsSecrets: `select owns from public.introduce(${site})`,
    transfer: `select id is not null from public.enter_transfer(${caller}, '${transfer}')`,
    mayChange: `select case when public.explain_as(${ids.site}, ${user.id}, null)::text = ''
                            then tessera.claims() ->> 'may_change' end`,
    manages: `select coalesce(string_agg(o.slug, ',' order by o.slug), '')
                from public.managed_by(${caller}) m join public.organizations o on o.id = m.organization_id`,
    invites: `select public.still_invites(jsonb_populate_record(null::public.invitations,
                '{"invited_by": ${user.id}, "organization_id": ${ids.organization}}'))`,
  }
  const [answers] = await app.sql<object>(
    `select ${Object.keys(doors).map((door, place) => `public.outcome($${place + 1}) as "${door}"`)}`,
    Object.values(doors),
  )
  return { ...answers, hasNotice: await getsNotice(), enterable: await enterable(at[signedInAt]) }
}

const heldIn = (door: string): string => `
  select array_to_string(array(select held from unnest(e.held) held order by held collate "C"), ',')
    from ${door} e`

/** Tells whether the user gets a notice when the site has reached its limit. */
async function getsNotice(): Promise<boolean> {
  await app.sql('delete from limit_notices')
  await app.sql('update site_limits set told_for = null')
  await app.sql('select public.judge_use($1)', [ids.site])
  return (await app.sql('select from limit_notices where user_id = $1', [user.id])).length > 0
}

async function enterable(organizationId: number | null): Promise<string[]> {
  const ctx = guestContext(app, desk, user)
  if (ctx.caller) Object.assign(ctx.caller, { organizationId: organizationId ?? undefined })
  const { sites } = await ctx.database.batch({ sites: selectEnterableSites(ctx, 9) }, 60_000)
  return sites.all.map(({ slug }) => slug)
}

describe('the permissions that an account holds in a site', () => {
  it('are the same at every door of the database, and those of the rule', async () => {
    await fc.assert(
      fc.asyncProperty(someAccount, async (account) => {
        await become(account)
        expect(await ask(account)).toEqual(evaluate(account))
      }),
      { seed, numRuns: runs(30, 1_000) },
    )
  })

  it('are, for whoever has all, those that the table of permissions accepts', async () => {
    const [row] = await app.sql<{ all: string[]; accepted: string }>(
      `select public.held_permissions(null, 1, true, null, null) as all,
              pg_get_constraintdef(oid) as accepted
         from pg_constraint where conname = 'site_permissions_permissions_check'`,
    )
    expect(row?.all).toEqual(permissions)
    expect([...(row?.accepted ?? '').matchAll(/'(\w+)'/g)].map(([, name]) => name)).toEqual(permissions)
  })
})
