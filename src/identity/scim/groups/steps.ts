/** Converts the bodies that change a group to steps, each with one statement. RFC 7644 §3.5.2. */
import type { z } from 'zod'
import { sql } from '../../../kernel/db/sql.ts'
import { invalidFields } from '../../../kernel/errors.ts'
import { messagesByField } from '../../../kernel/http/validate.ts'
import { resolve } from '../attributes.ts'
import { invalidPath, invalidValue, readOnlyAttribute } from '../errors.ts'
import type { Filter } from '../filter/syntax.ts'
import { type Change, changesOf, type PatchBody } from '../patch/operations.ts'
import { groupAttributes } from './attributes.ts'
import { type GroupBody, groupValues, someMembers } from './schema.ts'

/** A step of a change of a group. */
export type Step =
  | { kind: 'rename'; name: string }
  | { kind: 'identify'; externalId: string | null }
  | { kind: 'join' | 'leave' | 'keep'; ids: readonly number[] }
  | { kind: 'leaveWhere'; filter: Filter }

const attributes = groupAttributes(sql`null`)

/** Returns the steps that change a group to match a body. */
export function stepsOfWhole({ displayName, externalId, members }: GroupBody): Step[] {
  const ids = idsOf(members ?? [])
  return [
    { kind: 'rename', name: displayName },
    { kind: 'identify', externalId: externalId || null },
    { kind: 'keep', ids },
    { kind: 'join', ids },
  ]
}

/** Returns the steps of the operations of a PATCH. Throws 400 for a wrong path or value. */
export const stepsOfPatch = (body: PatchBody): Step[] => changesOf(body).flatMap(stepsOf)

/** Returns the ids of members, each once. */
export const idsOf = (members: readonly { value: number }[]): number[] => [
  ...new Set(members.map(({ value }) => value)),
]

function stepsOf(change: Change): Step[] {
  const { path, op, value, isMember, written } = change
  if (path.attribute.toLowerCase() === 'schemas') return []
  const resolved = resolve(attributes, path)
  if (typeof resolved === 'string') throw invalidPath(resolved)
  const { attribute, part } = resolved
  if (attribute.isReadOnly) {
    if (isMember) return []
    throw readOnlyAttribute(written)
  }
  if (attribute.name === 'members') return stepsOfMembers(change)
  if (path.filter || part) throw invalidPath(`${attribute.name} has one value only.`)
  if (attribute.name === 'externalId')
    return [{ kind: 'identify', externalId: op === 'remove' ? null : read('externalId', value) || null }]
  if (op === 'remove') throw invalidValue('displayName: It cannot be removed.')
  return [{ kind: 'rename', name: read('displayName', value) }]
}

function stepsOfMembers({ op, path: { filter, part }, value }: Change): Step[] {
  if (part !== undefined || (filter && op !== 'remove'))
    throw invalidPath('Members are added and removed as a whole. A filter only selects those to remove.')
  if (filter) return [{ kind: 'leaveWhere', filter }]
  // Microsoft Entra sends the members to remove as the value.
  const members = value === undefined || value === null ? [] : readMembers(value)
  const ids = idsOf(members)
  if (op === 'remove') return [value === undefined ? { kind: 'keep', ids } : { kind: 'leave', ids }]
  return [...(op === 'replace' ? [{ kind: 'keep', ids } as const] : []), { kind: 'join', ids }]
}

function read<Name extends 'externalId' | 'displayName'>(
  name: Name,
  value: unknown,
): z.output<(typeof groupValues)[Name]> {
  const parsed = groupValues[name].safeParse(value)
  if (!parsed.success) throw invalidFields(at(name, messagesByField(parsed.error.issues)))
  return parsed.data as z.output<(typeof groupValues)[Name]>
}

function readMembers(value: unknown) {
  const parsed = someMembers.safeParse(value)
  if (!parsed.success) throw invalidFields(at('members', messagesByField(parsed.error.issues)))
  return parsed.data
}

/** Puts the name of an attribute in front of the fields of messages. */
const at = (name: string, messages: Record<string, string[]>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(messages).map(([field, texts]) => [
      field === 'non_field_errors' ? name : `${name}.${field}`,
      texts,
    ]),
  )
