/**
 * The caller's properties that rules use, as expressions in views of guests. Postgres evaluates each once per
 * statement, because it is a subquery without references to rows. See migrations/functions
 * (tessera.claims).
 */
import { literal, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Who } from '../model/access.ts'

/** A value of the caller that filters of rules can compare with. */
interface Claim {
  name: string
  /**
   * The stand-in for a claim while a filter is planned, so that it is checked like a value of its type. No
   * record has such a value.
   */
  standIn: string | number
  /** The text that the planner writes for the stand-in. */
  planned: string
  /** Whether the claim is a list, for the operator `in`. */
  isList: boolean
  /** The types of fields that it can fill in. */
  fills: readonly string[]
  value: Sql
}

const textOf = (member: string): Sql => sql`(select tessera.claims() ->> ${literal(member)})`

const one = (name: string, standIn: string | number, fills: readonly string[], value: Sql): Claim => ({
  name,
  fills,
  standIn,
  planned: String(standIn),
  isList: false,
  value,
})

/** A claim that is a list of names: `user.<member>`. */
const listOf = (member: 'groups' | 'roles'): Claim => ({
  ...one(
    `user.${member}`,
    `claim@user.${member}.invalid`,
    [],
    sql`(select array(select jsonb_array_elements_text(tessera.claims() -> ${literal(member)})))`,
  ),
  isList: true,
})

/**
 * The claims that rules can compare with. `user` has no values without a caller; `user.email` has none
 * without a verified e-mail address.
 */
export const claims: readonly Claim[] = [
  one('user.id', 7_300_000_000_000_001, ['integer', 'string'], textOf('id')),
  one('user.uuid', '7e55e7a0-0000-4000-8000-0000000000c1', ['uuid', 'string'], textOf('uuid')),
  one('user.email', 'claim@user.email.invalid', ['string'], textOf('email')),
  one('now', '1001-02-03T04:05:06.789Z', ['datetime'], sql`now()`),
  listOf('groups'),
  listOf('roles'),
]

/** Returns the condition that a rule is for the caller. */
export function isFor(who: Who): Sql {
  switch (who.kind) {
    case 'anyone':
      return sql`true`
    case 'signed-in':
      return sql`(select (tessera.claims() ->> 'signed_in')::boolean)`
    case 'user':
      return sql`(select (tessera.claims() ->> 'user')::boolean)`
    case 'group':
    case 'permission':
    case 'role':
      return sql`(select tessera.claims() -> ${literal(`${who.kind}s`)} ? ${literal(who.name)})`
  }
}
