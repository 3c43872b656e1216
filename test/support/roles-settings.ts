/** Random roles of sites, rules of tables and apps, and ties of people to sites. X2. */
import fc from 'fast-check'

export const tables = ['notes', 'rooms'] as const
export const apps = ['shop', 'papers'] as const
const roleNames = ['clerk', 'doctor', 'guide'] as const
export const groupNames = ['Staff', 'Night'] as const
export const kinds = ['clerk', 'doctor', 'guide', 'none'] as const

export interface Row {
  id: number
  kind: string
  owner_id: number
}
export interface Rule {
  who: string
  where: 'all' | 'first' | 'own' | 'of my roles' | 'of my groups'
  /** Null: the rule is one of the table itself. */
  tables: '*' | readonly string[] | null
  table: string
}
/** What ties a person to a site. */
export interface Tie {
  member: boolean
  groups: readonly string[]
  permissions: readonly string[]
  roles: readonly string[]
  joined: boolean
  blocked: boolean
}
export interface Setting {
  /** The roles of each site, with the groups that have them. */
  roles: readonly (readonly { name: string; groups: readonly string[] }[])[]
  rules: readonly (readonly Rule[])[]
  /** By person and site. The first two sites belong to one organization. */
  ties: readonly (readonly Tie[])[]
}

const someRoles = fc
  .subarray([...roleNames])
  .chain((names) =>
    fc.tuple(...names.map((name) => fc.subarray([...groupNames]).map((groups) => ({ name, groups })))),
  )
const someRule: fc.Arbitrary<Rule> = fc.record({
  who: fc.constantFrom(
    ...['anyone', 'signed-in', 'user', 'group:Staff', 'group:Night', 'permission:view_site'],
    ...roleNames.map((name) => `role:${name}`),
  ),
  where: fc.constantFrom('all' as const, 'first', 'own', 'of my roles', 'of my groups'),
  tables: fc.oneof(fc.constant(null), fc.constant('*' as const), fc.subarray([...tables], { minLength: 1 })),
  table: fc.constantFrom(...tables),
})
const someTie: fc.Arbitrary<Tie> = fc.record({
  member: fc.boolean(),
  groups: fc.subarray([...groupNames]),
  permissions: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.constant(['view_site']) },
    { weight: 1, arbitrary: fc.constant(['access_site']) },
  ),
  roles: fc.subarray([...roleNames]),
  joined: fc.boolean(),
  blocked: fc.oneof(
    { weight: 4, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
})
export const people = 3
export const someSetting: fc.Arbitrary<Setting> = fc.record({
  roles: fc.tuple(someRoles, someRoles, someRoles),
  rules: fc.array(fc.array(someRule, { maxLength: 5 }), { minLength: 3, maxLength: 3 }),
  ties: fc.array(fc.array(someTie, { minLength: 3, maxLength: 3 }), { minLength: people, maxLength: people }),
})
