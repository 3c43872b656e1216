/** What the rules say about signing in, invitations and joining: a part of the model in state.ts. */
import {
  type Account,
  accountAt,
  addAccount,
  type Bearer,
  type Confirmation,
  dropUnproven,
  endInvitations,
  endSignIns,
  give,
  held,
  type Invitation,
  isTiedElsewhere,
  leave,
  linkedTo,
  manages,
  type Org,
  opened,
  type Right,
  removeAccount,
  roleOf,
  type State,
  settleInvitations,
  stillInvites,
} from './state.ts'

/**
 * The expected status of a request, and its effect. `change` applies the effect, and returns the account that
 * it concerns.
 */
export interface Outcome<Answered = unknown> {
  status: number | readonly number[]
  change?: (answered: Answered) => Account | undefined
}

export const refused = (status: number): Outcome => ({ status })
const tiesThatCount = ['member', 'permission', 'link', 'guest'] as const

interface Claims {
  org: Org
  subject: string
  address: string
  verified: boolean
}

/** Signs in with a provider. S7. */
export function signInByProvider(
  state: State,
  { org, subject, address, verified }: Claims,
): Outcome<{ userId: number; confirmed(confirmation: Confirmation): void }> {
  const linked = linkedTo(state, org, subject)
  if (linked) return linked.state === 'active' ? { status: 200, change: () => linked } : refused(401)
  const present = accountAt(state, address)
  const isFree = !present || (present.state === 'invited' && verified)
  if (isFree) {
    return {
      status: 200,
      change({ userId }) {
        if (present) removeAccount(state, present)
        return addAccount(state, userId, address, {
          links: [{ org, subject, vouched: verified, own: false }],
        })
      },
    }
  }
  if (!verified) return refused(400)
  if (present.state !== 'active') return refused(401)
  if (isTiedElsewhere(state, present, org, tiesThatCount)) {
    return {
      status: 403,
      change({ confirmed }) {
        const confirmation = { account: present.id, org, subject, tries: 0, over: false }
        state.confirmations.push(confirmation)
        confirmed(confirmation)
        return undefined
      },
    }
  }
  return {
    status: 200,
    change() {
      if (!present.links.some((link) => link.org === org && (link.vouched || link.own))) dropUnproven(present)
      present.links.push({ org, subject, vouched: true, own: false })
      return present
    },
  }
}

/** Confirms a sign-in with the code, which is a proof to the platform. S7. */
export function confirm(state: State, confirmation: Confirmation, org: Org, code: string): Outcome {
  const account = state.accounts.get(confirmation.account)
  if (confirmation.over || confirmation.tries >= 5 || confirmation.org !== org || !account)
    return refused(400)
  confirmation.tries++
  if (confirmation.code !== code || account.state !== 'active') return refused(400)
  const { subject } = confirmation
  const proves = () => {
    dropUnproven(account)
    account.proven = true
    account.secured = true
    settleInvitations(state, account)
  }
  const linked = linkedTo(state, org, subject)
  // It is a proof, even if the provider has signed in to another account in the meantime.
  if (linked && linked !== account) {
    proves()
    return refused(400)
  }
  return {
    status: 200,
    change() {
      proves()
      account.links = [
        ...account.links.filter((link) => link.org !== org || link.subject !== subject),
        { org, subject, vouched: false, own: true },
      ]
      confirmation.over = true
      return account
    },
  }
}

/** Signs in with a password. A1. */
export function signInByPassword(state: State, address: string, text: string): Outcome {
  const account = accountAt(state, address)
  return account?.state === 'active' && account.password?.text === text
    ? { status: 200, change: () => account }
    : refused(401)
}

/** Enters a resource of an organization, for its members or for its managers only. T4. */
export function inOrganization(
  state: State,
  bearer: Bearer,
  org: Org,
  { managersOnly }: { managersOnly: boolean },
): Account | Outcome {
  const caller = opened(state, bearer)
  if (!caller) return refused(401)
  const enters = managersOnly ? manages(caller, bearer, org) : roleOf(caller, bearer, org) !== undefined
  return enters ? caller : refused(403)
}

/** Enters a site, which needs a right there. T4. */
export function inSite(state: State, bearer: Bearer, org: Org, right: Right): Account | Outcome {
  const caller = opened(state, bearer)
  if (!caller) return refused(401)
  return held(caller, bearer, org).includes(right) ? caller : refused(403)
}

export const isRefused = (entered: Account | Outcome): entered is Outcome => 'status' in entered

interface Asked {
  org: Org
  address: string
  rights: readonly Right[]
}

/**
 * Invites an address. `inviteeId` is the account: an unknown address gets one that nobody can use yet. I1,
 * I3.
 */
export function invite(
  state: State,
  bearer: Bearer,
  { org, address, rights }: Asked,
): Outcome<{ inviteeId: number; made(one: Invitation): void }> {
  const caller = inOrganization(state, bearer, org, { managersOnly: true })
  if (isRefused(caller)) return caller
  if (accountAt(state, address)?.roles.has(org)) return refused(400)
  return {
    status: 201,
    change({ inviteeId, made }) {
      const account = accountAt(state, address) ?? addAccount(state, inviteeId, address, { state: 'invited' })
      endInvitations(state, address, [org])
      const invitation: Invitation = {
        org,
        address,
        rights,
        by: caller.id,
        invitee: account.id,
        state: 'open',
      }
      state.invitations.push(invitation)
      made(invitation)
      return account
    },
  }
}

/** Sends the newest open invitation of an account again. I3. */
export function resend(state: State, bearer: Bearer, org: Org, inviteeId: number): Outcome {
  const caller = inOrganization(state, bearer, org, { managersOnly: true })
  if (isRefused(caller)) return caller
  return openInvitationOf(state, org, inviteeId) ? { status: 200 } : refused(400)
}

export const openInvitationOf = (state: State, org: Org, inviteeId: number): Invitation | undefined =>
  state.invitations.findLast((one) => one.org === org && one.invitee === inviteeId && one.state === 'open')

export function cancel(state: State, bearer: Bearer, org: Org, invitation: Invitation): Outcome {
  const caller = inOrganization(state, bearer, org, { managersOnly: true })
  if (isRefused(caller)) return caller
  if (invitation.org !== org || invitation.state === 'cancelled') return refused(404)
  if (invitation.state !== 'open') return refused(410)
  return {
    status: 204,
    change() {
      const invitee = state.accounts.get(invitation.invitee ?? 0)
      invitation.state = 'cancelled'
      invitation.invitee = undefined
      const isWanted = state.invitations.some((one) => one.invitee === invitee?.id && one.state === 'open')
      if (invitee?.state === 'invited' && !isWanted) removeAccount(state, invitee)
      return undefined
    },
  }
}

interface Acceptance {
  code?: string | undefined
  bearer?: Bearer | undefined
  password: string
}

/** Accepts an invitation in the mode `guarded`. I6. */
export function accept(
  state: State,
  invitation: Invitation,
  { code, bearer, password }: Acceptance,
): Outcome<{ userId: number }> {
  const { org, address } = invitation
  if (invitation.state === 'cancelled') return refused(404)
  if (invitation.state !== 'open' || !stillInvites(state, invitation)) return refused(410)

  const present = accountAt(state, address)
  const isUsed = present !== undefined && present.state !== 'invited'
  const isProven = code !== undefined && code === invitation.code
  const needsProof =
    present &&
    (present.proven ||
      present.roles.has(org) ||
      present.links.length > 0 ||
      isTiedElsewhere(state, present, org, ['member', 'permission', 'guest']))
  const isOwn =
    isUsed && bearer !== undefined && bearer.org === undefined && opened(state, bearer) === present
  if (needsProof && !isProven) {
    if (!isOwn) return refused(403)
    return { status: 200, change: () => join(present, invitation) }
  }
  if (code !== undefined && !isProven) return refused(400)
  return {
    status: 200,
    change({ userId }) {
      const account = present ?? addAccount(state, userId, address)
      if (account.state === 'off') leaveOthers(state, account, org)
      account.state = 'active'
      account.password = { text: password, own: isProven }
      account.proven ||= isProven
      account.secured = isProven
      account.links = account.links.filter((link) => link.org === org)
      if (isUsed) endSignIns(account)
      join(account, invitation)
      settleInvitations(state, account)
      return account
    },
  }
}

/** An account that was switched off does not get back into the other organizations by an invitation. */
function leaveOthers(state: State, account: Account, org: Org): void {
  const others = [...account.roles.keys(), ...account.grants.keys()].filter((other) => other !== org)
  endInvitations(
    state,
    account.address,
    others.filter((other) => account.roles.has(other)),
  )
  for (const other of others) leave(account, other)
}

function join(account: Account, invitation: Invitation): Account {
  const { org } = invitation
  invitation.state = 'accepted'
  invitation.invitee = account.id
  if (!account.roles.has(org)) account.roles.set(org, 'member')
  give(account, invitation)
  return account
}
