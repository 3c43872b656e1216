/**
 * Members of a resource that clients read and cannot change. A body may repeat them. Another value is
 * refused, because a client that sends it expects a change. W8.
 */
import { type Sql, sql } from '../db/sql.ts'
import { invalidFields } from '../errors.ts'

/** A fixed member as it was sent. */
interface SentMember {
  value: unknown
  /** What is wrong if the value is not the current one. */
  problem: string
}

/** Where a parsed body has the fixed members that were sent. Nothing that writes members sees it. */
const sentMembers = Symbol('fixed members')

/** A parsed body that may have fixed members. */
export interface WithFixed {
  readonly [sentMembers]?: Readonly<Record<string, SentMember>>
}

/** For each fixed member of a resource, a sentence that says how to do what a client may have meant. */
export type Fixed = Readonly<Record<string, string>>

/** The reason of members that identify a resource, which no operation changes. */
const given = 'The service gives it: omit it, or send it as it was read.'
/** The fixed members of a resource with an id. */
export const identity = { id: given } as const satisfies Fixed
/** The fixed members of a resource with an id and a UUID. */
export const identities = { id: given, uuid: given } as const satisfies Fixed

/** Returns the 400 for another value of a fixed member. */
const problemOf = (name: string, instead: string): string => `The ${name} cannot be changed. ${instead}`

/** Takes the fixed members out of a body that was sent, and notes them at the parsed one. */
export function noteFixed<Parsed extends object>(
  parsed: Parsed,
  sent: object,
  fixed: Fixed,
): Parsed & WithFixed {
  const members = Object.entries(sent).flatMap(([name, value]) => {
    const instead = Object.hasOwn(fixed, name) ? fixed[name] : undefined
    return instead === undefined || value === undefined
      ? []
      : [[name, { value, problem: problemOf(name, instead) }] as const]
  })
  return members.length === 0 ? parsed : { ...parsed, [sentMembers]: Object.fromEntries(members) }
}

/** Converts sent values of some members to the form in which the current resource has them. */
type Forms = Readonly<Record<string, (value: unknown) => unknown>>

/**
 * Returns a statement that throws 400 if the body has another value of a fixed member than the resource.
 * Undefined if it has none. `current` selects the resource, with at least these members as columns. Without a
 * row, the statement does nothing.
 */
export function requireSame(body: WithFixed, current: Sql, forms: Forms = {}): Sql | undefined {
  const sent = body[sentMembers]
  if (!sent) return undefined
  const inForm = Object.entries(sent).map(([name, member]) => [
    name,
    { ...member, value: forms[name]?.(member.value) ?? member.value },
  ])
  const json = JSON.stringify(Object.fromEntries(inForm))
  return sql`select tessera.require_same(${json}::jsonb, to_jsonb(_now)) from (${current}) _now`
}

/** Throws the 400 of `requireSame`, for a resource that the service has read before it writes. */
export function rejectOthers(body: WithFixed, current: object): void {
  const values = new Map(Object.entries(current))
  const problems = Object.entries(body[sentMembers] ?? {}).filter(
    ([name, { value }]) => JSON.stringify(value) !== JSON.stringify(values.get(name) ?? null),
  )
  if (problems.length > 0)
    throw invalidFields(
      Object.fromEntries(problems.map(([name, { problem }]) => [name, [problem]])),
      'read_only',
    )
}

export const hasFixed = (body: WithFixed, name: string): boolean =>
  Object.hasOwn(body[sentMembers] ?? {}, name)
