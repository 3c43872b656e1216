/** Events of sequences.ts: members, permissions, and accounts that others manage. T4–T7. */
import {
  changeAddress,
  changeRole,
  createAccount,
  decline,
  deleteAccount,
  grant,
  makeOrganization,
  removeMember,
  setActivity,
  setPassword,
  useSite,
} from './management.ts'
import type { Outcome } from './rules.ts'
import type { Account } from './state.ts'
import { accountOf, nameOf, type Step, tokenOf, told } from './steps.ts'
import { emailOf, type HeldToken, keepPassword, type OrgName, orgNames, settle, type World } from './world.ts'

const nothing = () => undefined
const organization = (world: World, org: OrgName) =>
  `/api/cloud/organizations/${world.cast.sites[org].slug}-org`

async function remove(
  world: World,
  { org, address }: Step,
  token: HeldToken,
  target: Account,
): Promise<void> {
  const outcome = removeMember(world.state, token.bearer, org, target)
  const answer = await world.cast.app.request('DELETE', `${organization(world, org)}/members/${target.id}/`, {
    token: token.access,
  })
  settle(world, `${told(world, token)} removes ${address} from ${org}`, answer, outcome, nothing)
}

export async function removeSomebody(world: World, step: Step): Promise<void> {
  const target = accountOf(world, step)
  if (target) await remove(world, step, tokenOf(world, step), target)
}

export async function leave(world: World, step: Step): Promise<void> {
  const token = tokenOf(world, step)
  const target = world.state.accounts.get(token.bearer.account)
  // The owners of all sequences stay.
  if (target && target.id !== world.owners[step.org].bearer.account)
    await remove(world, { ...step, address: step.address }, token, target)
}

export async function changeSomebodysRole(world: World, step: Step): Promise<void> {
  const target = accountOf(world, step)
  if (!target) return
  const token = tokenOf(world, step)
  const { org, role, address } = step
  const outcome = changeRole(world.state, token.bearer, org, target, role)
  const answer = await world.cast.app.request('PATCH', `${organization(world, org)}/members/${target.id}/`, {
    token: token.access,
    body: { role },
  })
  settle(world, `${told(world, token)} makes ${address} ${role} of ${org}`, answer, outcome, nothing)
}

export async function grantRights(world: World, step: Step): Promise<void> {
  const target = accountOf(world, step)
  if (!target) return
  const token = tokenOf(world, step)
  const { org, rights, address } = step
  const outcome = grant(world.state, token.bearer, org, target, rights)
  const path = `/api/cloud/sites/${world.cast.sites[org].slug}/permissions/${target.id}/`
  const answer = await world.cast.app.request('PUT', path, {
    token: token.access,
    body: { permissions: rights },
  })
  settle(world, `${told(world, token)} grants ${address} [${rights}] in ${org}`, answer, outcome, nothing)
}

export async function visitSite(world: World, step: Step): Promise<void> {
  const token = tokenOf(world, step)
  const outcome = useSite(world.state, token.bearer, step.org)
  const path = `${world.cast.sites[step.org].api}/apps/`
  const answer = await world.cast.app.request('GET', path, { token: token.access })
  settle(world, `${told(world, token)} uses the site of ${step.org}`, answer, outcome, nothing)
}

export async function declineRights(world: World, step: Step): Promise<void> {
  const token = tokenOf(world, step)
  // Sequences run at once with the same owners, whose use of a site is known to none of the others.
  if (token === world.owners[step.org]) return
  const outcome = decline(world.state, token.bearer, step.org)
  const path = `/api/users/me/permissions/${world.cast.sites[step.org].slug}/`
  const answer = await world.cast.app.request('DELETE', path, { token: token.access })
  settle(world, `${told(world, token)} declines what is granted in ${step.org}`, answer, outcome, nothing)
}

/** Returns the token of an owner, preferably of an organization that the account belongs to. */
function managerOf(world: World, step: Step, target: Account): HeldToken {
  const homes = orgNames.filter((org) => target.roles.has(org))
  const home = homes.includes(step.org) ? step.org : homes[0]
  return step.by === 'owner' && home ? world.owners[home] : tokenOf(world, step)
}

/** Changes an account as a user who may manage it. */
async function change(
  world: World,
  step: Step,
  what: string,
  body: unknown,
  rule: (token: HeldToken, target: Account) => Outcome,
): Promise<HeldToken | undefined> {
  const target = accountOf(world, step)
  if (!target || target.state === 'invited') return undefined
  const token = managerOf(world, step, target)
  const outcome = rule(token, target)
  const answer = await world.cast.app.request('PATCH', `/api/users/${nameOf(world, target)}/`, {
    token: token.access,
    body,
  })
  settle(world, `${told(world, token)} changes ${step.address}: ${what}`, answer, outcome, nothing)
  if (answer.status !== 200) return undefined
  world.usernames.set(target.id, answer.body.username)
  return token
}

export const changeEmail = (world: World, step: Step) =>
  change(
    world,
    step,
    `the address is ${step.other}`,
    { email: emailOf(world, step.other) },
    (token, target) => changeAddress(world.state, token.bearer, target, step.other),
  )

export async function resetPassword(world: World, step: Step): Promise<void> {
  const password = `Managed-horse-${world.serial}-${world.story.length}`
  const target = accountOf(world, step)
  const done = await change(world, step, 'a password', { password }, (token, account) =>
    setPassword(world.state, token.bearer, account, password),
  )
  if (done && target) await keepPassword(world, done.holder, target.id, password)
}

export const switchActivity = (world: World, step: Step) =>
  change(world, step, step.flag ? 'active' : 'not active', { is_active: step.flag }, (token, target) =>
    setActivity(world.state, token.bearer, target, step.flag),
  )

export async function deleteSomebody(world: World, step: Step): Promise<void> {
  const target = accountOf(world, step)
  if (!target || target.state === 'invited') return
  const token = managerOf(world, step, target)
  // The organizations of a sequence have other owners too.
  const outcome = deleteAccount(world.state, token.bearer, target, (org) => org.startsWith('own-'))
  const answer = await world.cast.app.request('DELETE', `/api/users/${nameOf(world, target)}/`, {
    token: token.access,
  })
  settle(world, `${told(world, token)} deletes ${step.address}`, answer, outcome, nothing)
}

export async function createSomebody(world: World, step: Step): Promise<void> {
  const token = tokenOf(world, step)
  const { org, address, flag } = step
  const email = emailOf(world, address)
  const password = `Created-horse-${world.serial}-${world.story.length}`
  const username = flag ? email : `${address}-${world.serial}-${world.story.length}`
  const outcome = createAccount(world.state, token.bearer, { org, address, password })
  const answer = await world.cast.app.request('POST', `${world.cast.sites[org].api}/users/`, {
    token: token.access,
    body: { username, email, password },
  })
  const account = settle(
    world,
    `${told(world, token)} makes an account at ${address}, at ${org}`,
    answer,
    outcome,
    (body) => ({ userId: body.id }),
  )
  if (!account) return
  world.usernames.set(account.id, answer.body.username)
  await keepPassword(world, token.holder, account.id, password)
}

export async function makeOwnOrganization(world: World, step: Step): Promise<void> {
  const token = tokenOf(world, { ...step, by: step.pick })
  if (token === world.owners[step.org]) return
  const name = `own-${String(world.serial).padStart(6, '0')}-${String(world.story.length).padStart(3, '0')}`
  const outcome = makeOrganization(world.state, token.bearer, name)
  const answer = await world.cast.app.request('POST', '/api/cloud/organizations/', {
    token: token.access,
    body: { name },
  })
  settle(world, `${told(world, token)} makes an organization`, answer, outcome, nothing)
}
