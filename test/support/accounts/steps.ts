/** A step of a sequence: an action, and positions of the objects that it uses. */
import fc from 'fast-check'
import { type Account, accountAt, type Right, type Role } from './state.ts'
import {
  type Actor,
  type Beginning,
  type HeldToken,
  type Label,
  labels,
  type OrgName,
  orgNames,
  ownerOf,
  type World,
} from './world.ts'

export interface Step {
  event: string
  org: OrgName
  address: Label
  /** The token of the step: that of the organization's owner, or any other one, counted from the newest. */
  by: 'owner' | number
  /** The position of the step's object, counted from the newest. */
  pick: number
  other: Label
  rights: readonly Right[]
  role: Role
  flag: boolean
}

const label = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Label>('ada') },
  { weight: 3, arbitrary: fc.constant<Label>('eve') },
  fc.constant<Label>('bob'),
)
const someRights = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Right[]>(['access_site']) },
  fc.constant<Right[]>(['access_site', 'manage_site_users']),
  fc.constant<Right[]>(['admin_site']),
  fc.constant<Right[]>(['change_site']),
  fc.constant<Right[]>([]),
)
const pick = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.constant(1) },
  fc.nat(5),
)

/** Returns random steps. `weights` are the frequencies of the events. */
export const someStep = (weights: Readonly<Record<string, number>>): fc.Arbitrary<Step> =>
  fc.record(
    {
      event: fc.oneof(
        ...Object.entries(weights).map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) })),
      ),
      org: fc.constantFrom(...orgNames),
      address: label,
      by: fc.oneof({ weight: 2, arbitrary: fc.constant('owner' as const) }, { weight: 1, arbitrary: pick }),
      pick,
      other: fc.constantFrom(...labels),
      rights: someRights,
      role: fc.constantFrom<Role>('admin', 'member', 'owner'),
      flag: fc.boolean(),
    },
    { noNullPrototype: true },
  )

const someBeginning = (who: Label): fc.Arbitrary<Beginning> =>
  fc.record(
    {
      label: fc.constant(who),
      as: fc.oneof(
        { weight: 3, arbitrary: fc.constant('nobody' as const) },
        { weight: 2, arbitrary: fc.constant('employee' as const) },
        { weight: 2, arbitrary: fc.constant('proven' as const) },
      ),
      org: fc.constantFrom(...orgNames),
      role: fc.constantFrom('none' as const, 'member' as const, 'admin' as const, 'owner' as const),
      rights: someRights,
      invitedTo: fc.oneof(
        { weight: 3, arbitrary: fc.constant('none' as const) },
        { weight: 2, arbitrary: fc.constantFrom(...orgNames) },
      ),
    },
    { noNullPrototype: true },
  )

export const someBeginnings: fc.Arbitrary<Beginning[]> = fc.tuple(...labels.map(someBeginning))

/** Returns the object at the position of a step. */
export const nth = <Item>(items: readonly Item[], position: number): Item | undefined =>
  items.at(-1 - (position % (items.length || 1)))

export function tokenOf(world: World, { by, org }: Step): HeldToken {
  return (by === 'owner' ? undefined : nth(world.tokens, by)) ?? world.owners[org]
}

export const accountOf = (world: World, { address }: Step): Account | undefined =>
  accountAt(world.state, address)
export const ownerActor = ({ org }: Step): Actor => ownerOf[org] as Actor
export const nameOf = (world: World, { id }: Account): string =>
  encodeURIComponent(world.usernames.get(id) ?? '')

/** Returns the account of a token, for the record of events. */
export function told(world: World, { holder, bearer }: HeldToken): string {
  const account = world.state.accounts.get(bearer.account)
  const whose = account?.address.split('@')[0] ?? 'somebody deleted'
  return `${holder} as ${whose}${bearer.org ? ` by ${bearer.org}'s provider` : ''}`
}
