/**
 * The results of managing members, accounts, permissions and keys by the rules: a part of the model in
 * state.ts.
 */
import { inOrganization, inSite, isRefused, type Outcome, refused } from './rules.ts'
import {
  type Account,
  accountAt,
  addAccount,
  type Bearer,
  counts,
  endInvitations,
  endSignIns,
  held,
  isTiedElsewhere,
  type Key,
  leave,
  managed,
  type Org,
  opened,
  outranks,
  type Right,
  type Role,
  removeAccount,
  type State,
  ties,
} from './state.ts'

const tiesThatCount = ['member', 'permission', 'link', 'guest'] as const
/** The ties that keep another organization from ending an account. T11. */
const tiesOfPerson = ['member', 'link', 'guest', 'made'] as const

/**
 * Tells if a sign-in by a provider may not change the account, because it is tied to another organization.
 * S7.
 */
const isStranger = (state: State, account: Account, { org }: Bearer): boolean =>
  org !== undefined && isTiedElsewhere(state, account, org, tiesThatCount)

/** Removes a member. Managers remove members, and everybody may leave. T6. */
export function removeMember(state: State, bearer: Bearer, org: Org, target: Account): Outcome {
  const leaves = bearer.account === target.id
  const caller = inOrganization(state, bearer, org, { managersOnly: !leaves })
  if (isRefused(caller)) return caller
  if (leaves && isStranger(state, caller, bearer)) return refused(403)
  const present = target.roles.get(org)
  if (!present) return refused(404)
  if (present === 'owner' && caller.roles.get(org) !== 'owner') return refused(403)
  return {
    status: 204,
    change() {
      leave(target, org)
      if (!leaves) target.links = target.links.filter((link) => link.org !== org)
      endInvitations(state, target.address, [org])
      return target
    },
  }
}

/** Changes the role of a member. Only owners make and remove owners. T4. */
export function changeRole(state: State, bearer: Bearer, org: Org, target: Account, role: Role): Outcome {
  const caller = inOrganization(state, bearer, org, { managersOnly: true })
  if (isRefused(caller)) return caller
  const present = target.roles.get(org)
  if (!present) return refused(404)
  if (caller === target && isStranger(state, caller, bearer)) return refused(403)
  if ((present === 'owner' || role === 'owner') && caller.roles.get(org) !== 'owner') return refused(403)
  return {
    status: 200,
    change() {
      target.roles.set(org, role)
      return target
    },
  }
}

/** Grants permissions. Nobody grants or revokes more than they hold, or to somebody above them. T6, T10. */
export function grant(
  state: State,
  bearer: Bearer,
  org: Org,
  target: Account,
  granted: readonly Right[],
): Outcome {
  const caller = inSite(state, bearer, org, 'manage_site_users')
  if (isRefused(caller)) return caller
  const mine = held(caller, bearer, org)
  const changed = [...(target.grants.get(org) ?? []), ...granted]
  if (!changed.every((right) => mine.includes(right)) || outranks(target, caller, org)) return refused(403)
  return {
    status: 200,
    change() {
      target.grants.set(org, granted)
      return target
    },
  }
}

/** Declines the permissions that somebody granted to the caller. T7. */
export function decline(state: State, bearer: Bearer, org: Org): Outcome {
  const caller = opened(state, bearer)
  if (!caller) return refused(401)
  const granted = bearer.org === undefined || bearer.org === org ? caller.grants.get(org) : undefined
  if (!granted && !(counts(bearer, org) && caller.used.has(org))) return refused(404)
  return {
    status: 204,
    change() {
      caller.grants.delete(org)
      caller.used.delete(org)
      return caller
    },
  }
}

/**
 * Returns 200 if the caller manages an account, and otherwise the status of the error. `kinds`: the ties to
 * other organizations that count; all by default. T7, T10, T11.
 */
function reach(
  state: State,
  bearer: Bearer,
  target: Account,
  kinds?: readonly (typeof tiesOfPerson)[number][],
): number {
  const caller = opened(state, bearer)
  if (!caller) return 401
  const mine = managed(caller, bearer)
  if (mine.length === 0) return 403
  const orgs = [...target.roles.keys()]
  if (!orgs.some((org) => mine.includes(org))) return 404
  if (orgs.some((org) => caller.roles.has(org) && outranks(target, caller, org))) return 403
  return [...ties(state, target, kinds)].every((org) => mine.includes(org)) ? 200 : 403
}

/** Applies the change of a manager to an account. */
function managing(
  state: State,
  bearer: Bearer,
  target: Account,
  change: () => void,
  kinds?: typeof tiesOfPerson,
): Outcome {
  const reached = reach(state, bearer, target, kinds)
  if (reached !== 200) return refused(reached)
  return {
    status: 200,
    change() {
      change()
      return target
    },
  }
}

/**
 * Changes the address of an account. Proofs for the old address are not valid for the new one, so nothing in
 * the account counts as the owner's own from then on. S7.
 */
export function changeAddress(state: State, bearer: Bearer, target: Account, address: string): Outcome {
  const present = accountAt(state, address)
  if (present && present !== target && reach(state, bearer, target) === 200) return refused(400)
  return managing(state, bearer, target, () => {
    if (target.address === address) return
    endInvitations(state, target.address)
    target.address = address
    // Nobody has proved the new address, so nobody may go on with what the proof of the old one gave.
    if (target.proven && bearer.account !== target.id) {
      target.password = undefined
      endSignIns(target)
    }
    for (const one of state.invitations)
      if (one.state === 'open' && one.address === address) one.invitee = target.id
    target.proven = false
    target.secured = false
    if (target.password) target.password.own = false
    for (const key of target.keys) key.own = false
    for (const link of target.links) Object.assign(link, { own: false, vouched: false })
    for (const confirmation of state.confirmations) confirmation.over ||= confirmation.account === target.id
  })
}

export const setPassword = (state: State, bearer: Bearer, target: Account, text: string): Outcome =>
  managing(state, bearer, target, () => {
    target.password = { text, own: false }
    target.secured = false
    endSignIns(target)
  })

export const setActivity = (state: State, bearer: Bearer, target: Account, active: boolean): Outcome =>
  managing(
    state,
    bearer,
    target,
    () => {
      if (!active && target.state === 'active') {
        endSignIns(target)
        endInvitations(state, target.address, [...target.roles.keys()])
      }
      target.state = active ? 'active' : 'off'
    },
    tiesOfPerson,
  )

/** Deletes an account. The only owner of an organization cannot be deleted. */
export function deleteAccount(
  state: State,
  bearer: Bearer,
  target: Account,
  isOnlyOwner: (org: Org) => boolean,
): Outcome {
  const reached = reach(state, bearer, target, tiesOfPerson)
  if (reached !== 200) return refused(reached)
  if ([...target.roles].some(([org, role]) => role === 'owner' && isOnlyOwner(org))) return refused(400)
  return {
    status: 204,
    change() {
      removeAccount(state, target)
      return undefined
    },
  }
}

interface NewAccount {
  /** The organization of the site in the request. */
  org: Org
  address: string
  password: string
}

/** Creates an account, which is a member of the organization that its creator manages. T7. */
export function createAccount(
  state: State,
  bearer: Bearer,
  { org, address, password }: NewAccount,
): Outcome<{ userId: number }> {
  const caller = opened(state, bearer)
  if (!caller) return refused(401)
  const mine = managed(caller, bearer).sort()
  const home = mine.includes(org) ? org : mine[0]
  if (home === undefined) return refused(403)
  const present = accountAt(state, address)
  if (present && present.state !== 'invited') return refused(400)
  return {
    status: 201,
    change({ userId }) {
      if (present) removeAccount(state, present)
      return addAccount(state, userId, address, {
        password: { text: password, own: false },
        roles: new Map([[home, 'member']]),
        maker: home,
      })
    },
  }
}

/**
 * Creates an organization. A sign-in by a provider cannot, because it is valid in its own organization only.
 * S7.
 */
export function makeOrganization(state: State, bearer: Bearer, org: Org): Outcome {
  if (bearer.org !== undefined) return refused(403)
  const caller = opened(state, bearer)
  if (!caller) return refused(401)
  return {
    status: 201,
    change() {
      caller.roles.set(org, 'owner')
      return caller
    },
  }
}

/** Uses a site, which is a tie that the person makes. T11. */
export function useSite(state: State, bearer: Bearer, org: Org): Outcome {
  const caller = inSite(state, bearer, org, 'access_site')
  if (isRefused(caller)) return caller
  return {
    status: 200,
    change() {
      caller.used.add(org)
      return caller
    },
  }
}

/** Returns the account if it may have API keys in a site, which needs access to the site. A4, S7. */
function ofKeys(state: State, bearer: Bearer, org: Org): Account | Outcome {
  const caller = inSite(state, bearer, org, 'access_site')
  return isRefused(caller) || !isStranger(state, caller, bearer) ? caller : refused(403)
}

export function makeKey(state: State, bearer: Bearer, org: Org): Outcome<{ keyId: number }> {
  const caller = ofKeys(state, bearer, org)
  if (isRefused(caller)) return caller
  return {
    status: 201,
    change({ keyId }) {
      caller.keys.push({ id: keyId, org, own: caller.password?.own === true && bearer.org === undefined })
      return caller
    },
  }
}

export function deleteKey(state: State, bearer: Bearer, org: Org, keyId: number): Outcome {
  const caller = ofKeys(state, bearer, org)
  if (isRefused(caller)) return caller
  const isTheirs = ({ id, org: of }: Key) => id === keyId && of === org
  if (!caller.keys.some(isTheirs)) return refused(404)
  return {
    status: 204,
    change() {
      caller.keys = caller.keys.filter((key) => !isTheirs(key))
      return caller
    },
  }
}
