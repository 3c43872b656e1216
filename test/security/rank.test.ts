/**
 * Rank at every door: nobody changes, ends or deletes the account of somebody who ranks above them, whichever
 * operation they use. T10.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { createSite, type Site, startApp, type TestApp, type User } from '../support/app.ts'
import { operations } from '../support/contract.ts'
import { createDirectory, type Directory, patch } from '../support/scim.ts'
import { ask, createWorld } from '../support/world.ts'

type Role = 'owner' | 'admin' | 'member'

/** Somebody who tries to change an account: with a token, or with the directory that they have connected. */
interface Manager {
  user: User
  directory: Directory
}
type Answer = Awaited<ReturnType<TestApp['request']>>
type Door = (by: Manager, target: User) => Promise<Answer>

const password = 'Another-horse-2'
let app: TestApp
let site: Site
let founder: Manager
const managers = new Map<Role, Manager>()

const organization = '/api/cloud/organizations/harbour-org'
const joined = (user: Pick<User, 'id'>, role: Role, slug = 'harbour-org') =>
  app.sql(
    'insert into memberships (organization_id, user_id, role) select id, $1, $2 from organizations where slug = $3',
    [user.id, role, slug],
  )
const somebody = async (role: Role): Promise<User> => {
  const user = await app.user(`${role}-${crypto.randomUUID()}`, { password: 'Correct-horse-1' })
  await joined(user, role)
  return user
}
const as = ({ user }: Manager, method: string, path: string, body?: unknown) =>
  app.request(method, path, { token: user.token, ...(body === undefined ? {} : { body }) })
const changed =
  (body: object): Door =>
  (by, { username }) =>
    as(by, 'PATCH', `/api/users/${username}/`, body)
/** Makes a group with a member, as the founder. */
const groupOf = async ({ id }: User) => {
  const { body } = await founder.directory.call('POST', '/Groups', {
    displayName: crypto.randomUUID(),
    members: [{ value: String(id) }],
  })
  return body as { id: string; displayName: string }
}

/** Ways to change an account of somebody else, by their operations. */
const doors: Readonly<Record<string, Readonly<Record<string, Door>>>> = {
  updateUser: {
    'a new password': changed({ password }),
    'a new address': async (by, target) =>
      changed({ email: `${crypto.randomUUID()}@example.org` })(by, target),
    'switching it off': changed({ is_active: false }),
    'other names': changed({ first_name: 'Mallory' }),
  },
  deleteUser: { deletion: (by, { username }) => as(by, 'DELETE', `/api/users/${username}/`) },
  updateMember: {
    'another role': (by, { id }) => as(by, 'PATCH', `${organization}/members/${id}/`, { role: 'member' }),
  },
  deleteMember: { removal: (by, { id }) => as(by, 'DELETE', `${organization}/members/${id}/`) },
  replaceSitePermissions: {
    permissions: (by, { id }) =>
      as(by, 'PUT', `/api/cloud/sites/harbour/permissions/${id}/`, { permissions: ['view_site'] }),
    roles: (by, { id }) =>
      as(by, 'PUT', `/api/cloud/sites/harbour/permissions/${id}/`, { permissions: [], roles: ['clerk'] }),
  },
  replaceScimUser: {
    'the whole user of a directory': ({ directory }, { id, email }) =>
      directory.call('PUT', `/Users/${id}`, { userName: email, emails: [{ value: `x-${email}` }] }),
  },
  updateScimUser: {
    'switching it off by a directory': ({ directory }, { id }) =>
      directory.call('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: false })),
  },
  deleteScimUser: {
    'deletion by a directory': ({ directory }, { id }) => directory.call('DELETE', `/Users/${id}`),
  },
  createScimGroup: {
    'a new group': ({ directory }, { id }) =>
      directory.call('POST', '/Groups', {
        displayName: crypto.randomUUID(),
        members: [{ value: String(id) }],
      }),
  },
  updateScimGroup: {
    'another group': async ({ directory }, { id }) => {
      const { body } = await founder.directory.call('POST', '/Groups', { displayName: crypto.randomUUID() })
      const add = { op: 'add', path: 'members', value: [{ value: String(id) }] }
      return directory.call('PATCH', `/Groups/${body.id}`, patch(add))
    },
    'removal from a group': async ({ directory }, target) => {
      const { id } = await groupOf(target)
      const remove = { op: 'remove', path: `members[value eq "${target.id}"]` }
      return directory.call('PATCH', `/Groups/${id}`, patch(remove))
    },
  },
  replaceScimGroup: {
    'a group without it': async ({ directory }, target) => {
      const { id, displayName } = await groupOf(target)
      return directory.call('PUT', `/Groups/${id}`, { displayName, members: [] })
    },
  },
  deleteScimGroup: {
    'deletion of its group': async ({ directory }, target) =>
      directory.call('DELETE', `/Groups/${(await groupOf(target)).id}`),
  },
  acceptInvitation: {
    'an invitation to another organization, in the mode of the specification': async (by, { email }) => {
      const made = await as(by, 'POST', '/api/cloud/organizations/', { name: `own ${crypto.randomUUID()}` })
      const path = `/api/cloud/organizations/${made.body.slug}/invitations/`
      const { body } = await as(by, 'POST', path, { invitee_identifier: email })
      return app
        .with({ INVITATION_EXISTING_ACCOUNTS: 'specification' })
        .request('POST', `/api/cloud/invitations/${body.uuid}/accept/`, {
          body: { password, first_name: 'A', last_name: 'B' },
        })
    },
  },
}

/** Operations that name an account or a group, or are those of a directory, and that change no account. */
const harmless: Readonly<Record<string, string>> = {
  createScimUser: 'the address of a member is taken: 409',
  resendInvitation: 'sends an e-mail to somebody who is no member yet',
  blockSitePerson: 'refuses every member and every holder of a permission: 403',
  removeSitePerson: 'refuses every member and every holder of a permission: 403',
}

const allDoors = Object.entries(doors).flatMap(([operation, ways]) =>
  Object.entries(ways).map(([way, door]) => [operation, way, door] as const),
)

/** Returns everything that belongs to an account, apart from its groups. */
const stateOf = ({ id }: Pick<User, 'id'>) =>
  app.sql(
    `select to_jsonb(u) as account,
            (select jsonb_agg(m order by m.organization_id) from memberships m where m.user_id = u.id) as roles,
            (select jsonb_agg(p order by p.site_id) from site_permissions p where p.user_id = u.id) as permissions,
            (select jsonb_agg(k.id order by k.id) from api_keys k where k.user_id = u.id) as keys,
            (select count(*) from passkeys k where k.user_id = u.id) as passkeys,
            (select count(*) from social_accounts a where a.user_id = u.id) as links
       from users u where u.id = $1`,
    [id],
  )

beforeAll(async () => {
  app = (await startApp()).with({ RATE_LIMIT_SCALE: '1000000', EMAIL_TRANSPORT: 'mailbox' })
  site = await createSite(app, 'harbour')
  founder = { user: site.owner, directory: await createDirectory(app, site) }
  await as(founder, 'PUT', '/api/cloud/sites/harbour/roles/', [{ name: 'clerk' }])
  for (const role of ['owner', 'admin'] as const) {
    const user = await somebody(role)
    managers.set(role, { user, directory: await createDirectory(app, site, user) })
  }
})

const managerOf = (role: Role) => managers.get(role) as Manager

describe('a door to the account of somebody else', () => {
  it('is in this table for every operation that names a person or a group, or belongs to a directory', () => {
    const named = operations.filter(
      ({ method, path }) =>
        method !== 'GET' &&
        (/\{(user|username|account|invitee|group)\}/.test(path) || /scim\/v2\/(Users|Groups)/.test(path)),
    )
    const known = [...Object.keys(doors), ...Object.keys(harmless)]
    expect(named.map(({ operationId }) => operationId).filter((id) => !known.includes(id))).toEqual([])
    expect(allDoors.length).toBeGreaterThanOrEqual(16)
  })

  it.each(allDoors)('%s refuses an admin with 403 for an owner: %s', async (_operation, _way, door) => {
    const target = await somebody('owner')
    const before = await stateOf(target)
    const answer = await door(managerOf('admin'), target)
    expect([answer.status, answer.body.detail]).toEqual([403, expect.any(String)])
    expect(await stateOf(target)).toEqual(before)
  })

  it.each(allDoors)('%s lets an admin change another admin: %s', async (_operation, _way, door) => {
    expect((await door(managerOf('admin'), await somebody('admin'))).status).toBeLessThan(300)
  })

  it.each(allDoors)('%s lets an owner change another owner: %s', async (_operation, _way, door) => {
    expect((await door(managerOf('owner'), await somebody('owner'))).status).toBeLessThan(300)
  })
})

describe('the rank of a caller', () => {
  const withHeld = async (permissions: string[]): Promise<User> => {
    const user = await somebody('member')
    await app.sql(
      'insert into site_permissions (site_id, user_id, permissions) select id, $1, $2 from sites where slug = $3',
      [user.id, permissions, 'harbour'],
    )
    return user
  }

  it('without a role is that of a member: a holder of admin_site changes no permissions of admins: 403', async () => {
    const holder = { user: await withHeld(['admin_site']), directory: founder.directory }
    const door = doors.replaceSitePermissions?.permissions as Door
    expect((await door(holder, await somebody('admin'))).status).toBe(403)
    expect((await door(holder, await somebody('member'))).status).toBe(200)
  })

  it('counts in every organization that both belong to: 403', async () => {
    const target = await somebody('member')
    const { user } = managerOf('admin')
    const { slug } = await createSite(app, 'quay')
    await joined(target, 'owner', `${slug}-org`)
    await joined(user, 'admin', `${slug}-org`)
    const before = await stateOf(target)
    expect((await changed({ password })(managerOf('admin'), target)).status).toBe(403)
    expect(await stateOf(target)).toEqual(before)
  })

  it.each<[string, string]>([
    ['was made a member', `update memberships set role = 'member' where user_id = $1`],
    ['has left', 'delete from memberships where user_id = $1'],
    ['was deleted', 'delete from users where id = $1'],
  ])('is that of a member for the key of a directory whose creator %s: 403', async (_what, change) => {
    const creator = await somebody('owner')
    const directory = await createDirectory(app, site, creator)
    await app.sql(change, [creator.id])
    const door = doors.updateScimUser?.['switching it off by a directory'] as Door
    const by = { user: creator, directory }
    expect((await door(by, await somebody('admin'))).status).toBe(403)
    expect((await door(by, await somebody('member'))).status).toBe(200)
    await directory.call('GET', '/Users')
    await app.sql('delete from scim_keys where id = $1', [directory.keyId])
  })
})

describe('an admin who sends every operation that changes something', () => {
  it('changes nothing of the account of the founder', async () => {
    const world = await createWorld()
    const { shop } = world
    app = world.app.with({ RATE_LIMIT_SCALE: '1000000' })
    const admin = await app.user('first-mate')
    await joined(admin, 'admin', 'one-org')
    // So that no request is refused because the founder is the last owner.
    await joined(await app.user('second-owner'), 'owner', 'one-org')
    let before = JSON.stringify(await stateOf(shop.owner))
    const writes = operations
      .filter(({ method, path }) => method !== 'GET' && !path.includes('/scim/v2/'))
      .sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))
    const changes: string[] = []
    for (const operation of writes) {
      await ask(world, operation, { token: admin.token, of: app })
      const after = JSON.stringify(await stateOf(shop.owner))
      if (after !== before) changes.push(operation.operationId)
      before = after
    }
    expect(changes).toEqual([])
    expect(writes.length).toBeGreaterThan(100)
  })
})
