/**
 * Every member of a resource that cannot be written either changes by itself, and is ignored, or is fixed: a
 * body may repeat it, and another value is 400. W8.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import type { TestApp } from '../support/app.ts'
import {
  changing,
  createOthers,
  isIgnored,
  membersOf,
  messagesOf,
  reading,
  resourceOf,
  withoutChange,
} from '../support/changing.ts'
import type { DocumentedOperation } from '../support/contract.ts'
import { itemsOf } from '../support/lists.ts'
import { ask, createWorld, present, type World } from '../support/world.ts'

let world: World
let app: TestApp
let token: string
/** The id of an API key of the calling account. */
let key: number

beforeAll(async () => {
  world = await createWorld()
  app = world.app
  token = world.root.token
  key = await createOthers(world)
})

/**
 * What the values of members that cannot be written mean. A member of a change that is in no row here is
 * fixed: another value is 400.
 */
const ignored: Record<string, readonly string[]> = {
  times: ['created', 'created_at', 'updated_at', 'modified_at', 'date_joined', 'last_login', 'last_used_at'],
  'more times': ['deletes_at', 'joined'],
  authors: ['created_by', 'modified_by'],
  counts: ['datasource_count', 'table_count', 'materialized_count', 'field_count', 'version'],
  hashes: ['schema_hash'],
  'other resources': ['datasources', 'domains', 'source_info', 'user'],
  reports: ['permits', 'advice', 'findings'],
  'states that the service finds out': ['is_configured', 'pending_email'],
}
const isOfItself = new Set(Object.values(ignored).flat())

/** Directories send what they have: RFC 7644 §3.5.1 lets the service ignore the members that it provides. */
const fixing = changing.flatMap((operation) => {
  const members = operation.path.includes('/scim/') ? {} : (membersOf(operation) ?? {})
  return Object.keys(members)
    .filter((name) => isIgnored(members[name]))
    .map((name) => [`${operation.method} ${operation.path}`, name, operation] as const)
})

/** Returns another value of the same type, or a text if the resource does not show the member. */
function another(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  return Array.isArray(value) ? [...value, 'other'] : `${value ?? ''}other`
}

/** Returns a resource with its values, and the values of the operation's path. */
async function resourceFor(operation: DocumentedOperation, values: Record<string, string | number>) {
  const read = reading(operation)
  if (read) return resourceOf(operation, (await ask(world, read, { token, values })).body)
  const list = await app.request('GET', '/api/cloud/organizations/one-org/members/', { token })
  return itemsOf(list.body).find(
    (item) => (item as { user: { id: number } }).user.id === Number(values.user),
  ) as object
}

describe('a member of a resource that cannot be written', () => {
  const valuesOf = () => ({ ...present(world), key, table: 'graph', datasource: 'papers' })

  it.each(fixing.filter(([, name]) => !isOfItself.has(name)))(
    'is refused with another value, with a sentence on what to do instead, and nothing changes: %s %s',
    async (_path, name, operation) => {
      const values = valuesOf()
      const before = (await resourceFor(operation, values)) as Record<string, unknown>
      for (const value of [another(before[name]), { toString: 1 }, [[]]]) {
        const refused = await ask(world, operation, { token, values, body: { ...before, [name]: value } })
        expect([value, refused.status, messagesOf(refused.body)]).toEqual([
          value,
          400,
          { [name]: [expect.stringMatching(new RegExp(`^The ${name} cannot be changed\\. \\S.*\\.$`))] },
        ])
      }
      expect(await resourceFor(operation, values)).toEqual(before)
    },
  )

  it.each(fixing.filter(([, name]) => isOfItself.has(name)))(
    'is ignored with another value if it changes by itself: %s %s',
    async (_path, name, operation) => {
      const values = valuesOf()
      const before = (await resourceFor(operation, values)) as Record<string, unknown>
      const sent = await ask(world, operation, { token, values, body: { ...before, [name]: 'other' } })
      expect([sent.status, sent.body]).toEqual([200, expect.anything()])
      const after = (await resourceFor(operation, values)) as Record<string, unknown>
      expect(withoutChange(after)).toEqual(withoutChange(before))
    },
  )

  it('is ignored wherever it is in the table of those that change by themselves, and each is somewhere', () => {
    expect([...isOfItself].filter((name) => !fixing.some(([, member]) => member === name))).toEqual([])
  })
})
