/**
 * Random roles, rules of tables and apps, and ties of people to sites: everybody reads what an independent
 * evaluator allows, in both kinds of datasources. X2.
 */
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { siteIdOf, startApp, type TestApp, type User } from '../support/app.ts'
import { addDocuments, createShop, type Shop } from '../support/fixtures.ts'
import {
  apps,
  groupNames,
  kinds,
  people,
  type Row,
  type Rule,
  type Setting,
  someSetting,
  type Tie,
  tables,
} from '../support/roles-settings.ts'
import { runs } from '../support/runs.ts'
import { scaled } from '../support/scaled.ts'
import { seed } from '../support/seed.ts'

let app: TestApp
let sites: Shop[]
let persons: User[]
let rows: Row[]

const fields = [
  { name: 'id', type: 'integer' },
  { name: 'kind', type: 'string' },
  { name: 'owner_id', type: 'integer' },
]
const resources = tables.map((name) => ({ name, schema: { fields, primaryKey: 'id' } }))

beforeAll(async () => {
  app = await startApp()
  persons = []
  for (let number = 0; number < people; number++) persons.push(await app.user(`person-${number}`))
  rows = kinds.flatMap((kind, index) =>
    [...persons.map(({ id }) => id), 0].map((owner_id, at) => ({ id: index * 10 + at + 1, kind, owner_id })),
  )
  sites = []
  for (const name of ['one', 'two', 'three']) {
    const site = await createShop(app, name, { resources })
    await addDocuments(app, site, resources)
    for (const of of apps)
      for (const table of tables)
        await app.request('POST', `${site.api}/apps/${of}/datatables/${table}/data/`, {
          token: site.owner.token,
          body: rows,
        })
    sites.push(site)
  }
  await app.sql(
    `update sites set organization_id = (select o.organization_id from sites o where o.slug = 'one')
      where slug = 'two'`,
  )
  sites = sites.map((site, at) => (at === 1 ? { ...site, owner: (sites[0] as Shop).owner } : site))
}, scaled(120_000))

const organizationOf = (site: number): number => (site === 1 ? 0 : site)

/** The membership and the groups of the first site of an organization are those of the organization. */
const tieAt = ({ ties }: Setting, person: number, site: number): Tie => {
  const own = ties[person]?.[site] as Tie
  const { member, groups } = (ties[person] as readonly Tie[])[organizationOf(site)] as Tie
  return { ...own, member, groups: member ? groups : [] }
}

const conditions: Readonly<Record<Rule['where'], object | undefined>> = {
  all: undefined,
  first: { id__lte: 11 },
  own: { owner_id: { $: 'user.id' } },
  'of my roles': { kind__in: { $: 'user.roles' } },
  'of my groups': { kind__in: { $: 'user.groups' } },
}

/** What everybody who asks is, as the rules see it. Null: they do not bind. */
function standingOf(setting: Setting, person: number | undefined, site: number) {
  const nobody = { id: -1, signedIn: false, user: false, groups: [], permissions: [], roles: [] }
  if (person === undefined) return nobody
  const tie = tieAt(setting, person, site)
  if (tie.permissions.includes('access_site')) return null
  if (tie.blocked && !tie.member && tie.permissions.length === 0) return nobody
  const roles = (setting.roles[site] ?? [])
    .filter(
      ({ name, groups }) => tie.roles.includes(name) || groups.some((group) => tie.groups.includes(group)),
    )
    .map(({ name }) => name)
  return {
    id: (persons[person] as User).id,
    signedIn: true,
    user: tie.member || tie.permissions.length > 0 || tie.roles.length > 0 || tie.joined,
    groups: tie.groups,
    permissions: tie.permissions,
    roles,
  }
}

type Standing = NonNullable<ReturnType<typeof standingOf>>

function isFor(who: string, standing: Standing): boolean {
  const [kind, name = ''] = who.split(':')
  if (kind === 'group') return (standing.groups as string[]).includes(name)
  if (kind === 'permission') return (standing.permissions as string[]).includes(name)
  if (kind === 'role') return (standing.roles as string[]).includes(name)
  return kind === 'anyone' || (kind === 'user' ? standing.user : standing.signedIn)
}

const passes = (where: Rule['where'], row: Row, { id, roles, groups }: Standing): boolean =>
  ({
    all: true,
    first: row.id <= 11,
    own: row.owner_id === id,
    'of my roles': (roles as string[]).includes(row.kind),
    'of my groups': (groups as string[]).includes(row.kind),
  })[where]

const appliesTo = (rule: Rule, table: string): boolean =>
  rule.tables === null ? rule.table === table : rule.tables === '*' || rule.tables.includes(table)

/** The ids that somebody reads, or the status of the refusal. */
function expected(setting: Setting, person: number | undefined, site: number, table: string) {
  const standing = standingOf(setting, person, site)
  if (standing === null) return rows.map(({ id }) => id).sort((a, b) => a - b)
  const mine = (setting.rules[site] ?? []).filter(
    (rule) => appliesTo(rule, table) && isFor(rule.who, standing),
  )
  if (mine.length === 0) return person === undefined ? 401 : 403
  return rows
    .filter((row) => mine.some(({ where }) => passes(where, row, standing)))
    .map(({ id }) => id)
    .sort((a, b) => a - b)
}

/** Makes the setting, with the people in it. */
async function settle(setting: Setting): Promise<void> {
  const ids = persons.map(({ id }) => id)
  await app.sql('delete from group_members where user_id = any ($1)', [ids])
  await app.sql('delete from memberships where user_id = any ($1)', [ids])
  await app.sql('delete from site_permissions where user_id = any ($1)', [ids])
  await app.sql('delete from site_guests where user_id = any ($1)', [ids])
  for (const [at, site] of sites.entries()) {
    const { token } = await app.signedIn(site.owner)
    const put = (path: string, body: unknown) => app.request('PUT', path, { token, body })
    const rules = setting.rules[at] ?? []
    const named = rules.map((rule, number) => ({
      rule,
      said: {
        name: `rule ${number}`,
        who: rule.who,
        can: ['read'],
        ...(conditions[rule.where] ? { where: conditions[rule.where] } : {}),
      },
    }))
    for (const of of apps) {
      const path = `${site.api}/apps/${of}/`
      const ofApp = named.flatMap(({ rule, said }) =>
        rule.tables === null ? [] : [{ ...said, tables: rule.tables }],
      )
      expect((await put(`${path}access/`, { rules: ofApp })).status).toBe(200)
      for (const table of tables) {
        const own = named.flatMap(({ rule, said }) =>
          rule.tables === null && rule.table === table ? [said] : [],
        )
        expect((await put(`${path}datatables/${table}/access/`, { rules: own })).status).toBe(200)
      }
    }
  }
  await applyTies(setting)
}

async function applyTies(setting: Setting): Promise<void> {
  for (const [person, { id }] of persons.entries())
    for (const [at, site] of sites.entries()) {
      const tie = tieAt(setting, person, at)
      const siteId = siteIdOf(site)
      if (tie.member && at !== 1) {
        await app.sql(
          `with o as (select organization_id as id from sites where id = $1), m as (
             insert into memberships (organization_id, user_id, role) select o.id, $2, 'member' from o
           ), g as (
             insert into groups (organization_id, name) select o.id, n from o, unnest($3::text[]) n
             on conflict do nothing
           ) select 1`,
          [siteId, id, [...groupNames]],
        )
        await app.sql(
          `insert into group_members (group_id, user_id)
           select g.id, $2 from groups g join sites s on s.organization_id = g.organization_id
            where s.id = $1 and g.name = any ($3) on conflict do nothing`,
          [siteId, id, [...tie.groups]],
        )
      }
      await app.sql(
        'insert into site_permissions (site_id, user_id, permissions, roles) values ($1, $2, $3, $4)',
        [siteId, id, [...tie.permissions], [...tie.roles]],
      )
      if (tie.joined || tie.blocked)
        await app.sql(
          `insert into site_guests (site_id, user_id, joined_at, blocked_at)
           values ($1, $2, case when $3 then now() end, case when $4 then now() end)`,
          [siteId, id, tie.joined, tie.blocked],
        )
    }
  for (const [at, site] of sites.entries()) {
    const roles = (setting.roles[at] ?? []).map((role) => ({ ...role, title: '', description: '' }))
    await app.sql('alter table sites disable trigger all')
    await app.sql('update sites set roles = $2::jsonb where id = $1', [siteIdOf(site), JSON.stringify(roles)])
    await app.sql('alter table sites enable trigger all')
  }
}

const round = async (setting: Setting): Promise<void> => {
  await settle(setting)
  persons = await Promise.all(persons.map((person) => app.signedIn(person)))
  for (const [at, site] of sites.entries())
    for (const of of apps)
      for (const table of tables)
        for (const person of [undefined, ...persons.keys()]) {
          const user = person === undefined ? undefined : persons[person]
          const path = `${site.api}/apps/${of}/datatables/${table}/data/?ordering=id&page_size=100`
          const { status, body } = await app.request('GET', path, user ? { token: user.token } : {})
          const seen = status === 200 ? body.data.map(({ id }: Row) => id) : status
          expect([at, of, table, person, seen]).toEqual([
            at,
            of,
            table,
            person,
            expected(setting, person, at, table),
          ])
        }
}

it(
  'everybody reads what the rules of tables and apps give their roles, groups and ties at each site',
  async () => {
    await fc.assert(fc.asyncProperty(someSetting, round), {
      numRuns: runs(30, 300),
      seed,
      endOnFailure: true,
    })
  },
  scaled(runs(300_000, 1_800_000)),
)
