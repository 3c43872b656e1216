/**
 * What the decisions (S7, I6, T4–T7, A1–A4) say that there is of accounts: a model of accounts, of what ties them to
 * organizations, and of what opens them. It knows nothing of the database.
 */

/** The two organizations of a sequence, the one that everybody trusts, and those that people make for themselves. */
export type Org = string
export type Role = 'owner' | 'admin' | 'member'
/** Of the site permissions those that differ in what they open. */
const rights = ['access_site', 'change_site', 'manage_site_users', 'admin_site'] as const
export type Right = (typeof rights)[number]

/** What a provider calls somebody opens an account. */
interface Link {
  org: Org
  subject: string
  /** The provider said that the account's address is the person's. */
  vouched: boolean
  /** It was attached with a proof of the person to the platform. */
  own: boolean
}

export interface Key {
  id: number
  org: Org
  own: boolean
}

export interface Account {
  id: number
  address: string
  /** `invited`: made for invitations alone, and never used. */
  state: 'invited' | 'active' | 'off'
  /** Whoever reads the address has shown so to the platform. */
  proven: boolean
  /** `own`: set with such a proof. */
  password: { text: string; own: boolean } | undefined
  roles: Map<Org, Role>
  grants: Map<Org, readonly Right[]>
  links: Link[]
  keys: Key[]
  generation: number
  /** Since the last proof, nobody else has set the password or the address: from then on it is the reader's alone. */
  secured: boolean
}

/** What a token or a session stands for. `org`: a provider of that organization has signed the person in. */
export interface Bearer {
  account: number
  generation: number
  org?: Org | undefined
  ended?: boolean
}

export interface Invitation {
  org: Org
  address: string
  rights: readonly Right[]
  /** The account that made it, and the one that it was made for. */
  by: number
  invitee: number | undefined
  state: 'open' | 'accepted' | 'cancelled'
  /** Of the newest letter. */
  code?: string
}

export interface Confirmation {
  account: number
  org: Org
  subject: string
  code?: string
  tries: number
  over: boolean
}

export interface State {
  accounts: Map<number, Account>
  invitations: Invitation[]
  confirmations: Confirmation[]
}

export const emptyState = (): State => ({ accounts: new Map(), invitations: [], confirmations: [] })

export function addAccount(state: State, id: number, address: string, more: Partial<Account> = {}): Account {
  const account: Account = {
    id,
    address,
    state: 'active',
    proven: false,
    password: undefined,
    roles: new Map(),
    grants: new Map(),
    links: [],
    keys: [],
    generation: 1,
    secured: false,
    ...more,
  }
  state.accounts.set(id, account)
  for (const invitation of state.invitations) {
    if (invitation.invitee === undefined && invitation.state === 'open' && invitation.address === address)
      invitation.invitee = id
  }
  return account
}

export function removeAccount(state: State, { id }: Account): void {
  state.accounts.delete(id)
  for (const invitation of state.invitations) if (invitation.invitee === id) invitation.invitee = undefined
  for (const confirmation of state.confirmations) confirmation.over ||= confirmation.account === id
}

export const accountAt = (state: State, address: string): Account | undefined =>
  [...state.accounts.values()].find((account) => account.address === address)

export const linkedTo = (state: State, org: Org, subject: string): Account | undefined =>
  [...state.accounts.values()].find(({ links }) =>
    links.some((link) => link.org === org && link.subject === subject),
  )

const tieKinds = ['member', 'permission', 'link', 'pending'] as const
export type TieKind = (typeof tieKinds)[number]

/** What ties an account to which organizations. T7. */
export function ties(
  state: State,
  { id, address, roles, grants, links }: Account,
  kinds: readonly TieKind[] = tieKinds,
): Set<Org> {
  const of: Record<TieKind, readonly Org[]> = {
    member: [...roles.keys()],
    permission: [...grants].flatMap(([org, granted]) => (granted.length > 0 ? [org] : [])),
    link: links.map(({ org }) => org),
    pending: state.invitations.flatMap((one) =>
      one.state === 'open' && (one.invitee === id || one.address === address) ? [one.org] : [],
    ),
  }
  return new Set(kinds.flatMap((kind) => of[kind]))
}

export const isTiedElsewhere = (
  state: State,
  account: Account,
  org: Org,
  kinds: readonly TieKind[],
): boolean => [...ties(state, account, kinds)].some((tied) => tied !== org)

/** The account that a token or a session opens now. S7, A4. */
export function opened(state: State, { account: id, generation, org, ended }: Bearer): Account | undefined {
  const account = state.accounts.get(id)
  const holds = account?.state === 'active' && account.generation === generation && !ended
  return holds && (org === undefined || account.links.some((link) => link.org === org)) ? account : undefined
}

/** What a sign-in by a provider says counts in its own organization alone. S7. */
const counts = ({ org }: Bearer, there: Org): boolean => org === undefined || org === there

export const roleOf = (account: Account, bearer: Bearer, org: Org): Role | undefined =>
  counts(bearer, org) ? account.roles.get(org) : undefined

const isManager = (role: Role | undefined): boolean => role === 'owner' || role === 'admin'
export const manages = (account: Account, bearer: Bearer, org: Org): boolean =>
  isManager(roleOf(account, bearer, org))
export const managed = (account: Account, bearer: Bearer): Org[] =>
  [...account.roles.keys()].filter((org) => manages(account, bearer, org))

/** What somebody may do in the site of an organization. T4. */
export function held(account: Account, bearer: Bearer, org: Org): readonly Right[] {
  const granted = counts(bearer, org) ? (account.grants.get(org) ?? []) : []
  return manages(account, bearer, org) || granted.includes('admin_site') ? rights : granted
}

/** Tokens, sessions and keys end. A4. */
export function endSignIns(account: Account): void {
  account.generation++
  account.keys = []
}

/** What others may have made of an account goes, when somebody shows that it is theirs. S7. */
export function dropUnproven(account: Account): void {
  account.keys = account.keys.filter(({ own }) => own)
  account.links = account.links.filter(({ own }) => own)
  if (account.password?.own) return
  account.password = undefined
  endSignIns(account)
}
