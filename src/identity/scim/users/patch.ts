/** Converts the changes of a PATCH to the directory's data about a user. RFC 7644 §3.5.2. */
import { sql } from '../../../kernel/db/sql.ts'
import { invalidFields } from '../../../kernel/errors.ts'
import { messagesByField } from '../../../kernel/http/validate.ts'
import { resolve } from '../attributes.ts'
import { invalidFilter, invalidPath, invalidValue, readOnlyAttribute } from '../errors.ts'
import type { Filter } from '../filter/syntax.ts'
import { type Change, changesOf, type PatchBody } from '../patch/operations.ts'
import { ignoredAttributes, ignoredNameParts, userAttributes } from './attributes.ts'
import { type Said, saidOfChange } from './said.ts'
import { userChange } from './schema.ts'

const attributes = userAttributes(sql`null`)
const ignored: ReadonlySet<string> = new Set(
  [...ignoredAttributes, ...ignoredNameParts.map((part) => `name.${part}`)].map((name) => name.toLowerCase()),
)

/**
 * Returns the values of the operations. Throws 400 for an unknown path or a read-only attribute, and for an
 * invalid value of an attribute.
 */
export function saidOfPatch(body: PatchBody): Said {
  const draft: Record<string, unknown> = {}
  for (const change of changesOf(body)) apply(change, draft)
  const parsed = userChange.safeParse(draft)
  if (!parsed.success) throw invalidFields(messagesByField(parsed.error.issues))
  return saidOfChange(parsed.data)
}

/** Adds a change to a user body that contains only changed values. */
function apply(change: Change, draft: Record<string, unknown>): void {
  const { attribute: name, part: partName, filter } = change.path
  if (name.toLowerCase() === 'schemas' || isIgnored(name, partName)) return
  const resolved = resolve(attributes, change.path)
  if (typeof resolved === 'string') throw invalidPath(resolved)
  const { attribute, part } = resolved
  if (attribute.isReadOnly) {
    if (change.isMember) return
    throw readOnlyAttribute(change.written)
  }
  if (filter && !attribute.isMultiValued) throw invalidPath(`${attribute.name} has one value only.`)
  const value = change.op === 'remove' ? null : change.value
  if (value === null && ['userName', 'emails', 'active'].includes(attribute.name))
    throw invalidValue(`${attribute.name}: It cannot be removed.`)
  if (attribute.name === 'emails') applyEmail(change, part?.name, draft)
  else if (attribute.name === 'name') applyName(value, part?.name, draft)
  else draft[attribute.name] = value
}

const isIgnored = (name: string, part: string | undefined): boolean =>
  ignored.has(name.toLowerCase()) || ignored.has(`${name}.${part}`.toLowerCase())

function applyName(value: unknown, part: string | undefined, draft: Record<string, unknown>): void {
  const before = typeof draft.name === 'object' ? draft.name : {}
  if (part !== undefined) draft.name = { ...before, [part]: value }
  else if (value === null) draft.name = { givenName: null, familyName: null }
  else if (typeof value === 'object') draft.name = { ...before, ...value }
  else draft.name = value
}

/**
 * Only the work address is stored. Changes of other addresses, and of parts other than the value, are
 * ignored.
 */
function applyEmail({ path, value }: Change, part: string | undefined, draft: Record<string, unknown>): void {
  if ((path.filter && !selectsKept(path.filter)) || (part !== undefined && part !== 'value')) return
  if (part === undefined && !path.filter) draft.emails = Array.isArray(value) ? value : [value]
  else if (part === undefined && typeof value === 'object') draft.emails = [{ ...value, type: 'work' }]
  else draft.emails = [{ value, type: 'work' }]
}

/** The parts of the stored address, apart from its value. */
const kept: ReadonlyMap<string, string | boolean> = new Map<string, string | boolean>([
  ['type', 'work'],
  ['primary', true],
])

/** Tells whether a filter selects the stored address. Throws 400 for a filter on its value. */
function selectsKept(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
      return selectsKept(filter.left) && selectsKept(filter.right)
    case 'or':
      return selectsKept(filter.left) || selectsKept(filter.right)
    case 'not':
      return !selectsKept(filter.filter)
    case 'present':
      return true
    default:
      return isKept(filter)
  }
}

function isKept(filter: Exclude<Filter, { left: Filter } | { kind: 'not' | 'present' }>): boolean {
  const known = filter.kind === 'compare' ? kept.get(filter.path.attribute.toLowerCase()) : undefined
  if (filter.kind !== 'compare' || known === undefined || !['eq', 'ne'].includes(filter.operator))
    throw invalidFilter(
      'Select an e-mail address by its type or primary, for example emails[type eq "work"].',
    )
  const isEqual = String(filter.value).toLowerCase() === String(known)
  return isEqual === (filter.operator === 'eq')
}
