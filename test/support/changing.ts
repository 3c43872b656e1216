/** The operations that change resources, their bodies, and resources to change. */
import type { JsonSchema } from '../../src/kernel/http/openapi/types.ts'
import { type DocumentedOperation, operations, schemaOf } from './contract.ts'
import { itemsOf } from './lists.ts'
import type { World } from './world.ts'

/** A second resource of some kinds, whose members have other types of values. */
const others: [path: string, body: unknown][] = [
  [
    'api-keys',
    {
      name: 'Scoped',
      expires_at: '2090-01-01T00:00:00Z',
      scopes: [{ app: 'shop', tables: ['*'], can: ['read'] }],
      allowed_addresses: ['192.0.2.0/24'],
    },
  ],
  [
    'secret-types',
    { name: 'Long_Name', sensitivity_level: 'public', schema: { type: 'object', required: ['a'] } },
  ],
  ['tags', { name: 'red', color: '#F00' }],
  ['secrets', { secret_type: 'long-name', key: 'LONG', value: { a: [1, null] }, tags: ['red'] }],
  [
    'apps/shop/functions',
    {
      name: 'Proxy',
      execution_mode: 'proxy',
      webhook_url: 'https://hooks.example.com/',
      headers: { 'X-Key': 'v' },
    },
  ],
  [
    'apps/shop/functions',
    {
      name: 'Code',
      code: 'export default () => 1',
      allowed_hosts: ['a.example'],
      filter_conditions: 'time.year > 2000',
    },
  ],
  [
    'auth/social-apps',
    {
      provider: 'google',
      name: 'Google',
      client_id: 'a',
      secret: 'b',
      key: 'c',
      settings: { scope: ['openid'], icon: 'star' },
    },
  ],
  [
    'apps/shop/datasources',
    { name: 'Papers', slug: 'papers', provider_type: 'jsonb', provider_config: { a: { b: 1 } } },
  ],
  [
    'apps/shop/datasources/papers/datatables',
    {
      name: 'graph',
      description: 'A graph',
      json_schema: {
        fields: [
          { name: 'code', type: 'string', constraints: { maxLength: 5 } },
          { name: 'boss', type: 'string' },
        ],
        primaryKey: 'code',
        graph: { enabled: true, types: [{ name: 'knows', inverse: 'known' }] },
      },
    },
  ],
]

/** Creates these resources. Returns the id of an API key of the calling account. */
export async function createOthers({ app, shop, root: { token } }: World): Promise<number> {
  let key = 0
  for (const [path, body] of others) {
    const answer = await app.request('POST', `${shop.api}/${path}/`, { token, body })
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    if (path === 'api-keys') key = answer.body.id
  }
  return key
}

/** Returns the operation that reads what another one changes. Undefined if it is read in a list only. */
export const reading = ({ path }: DocumentedOperation) =>
  operations.find((operation) => operation.method === 'GET' && operation.path === path)
/**
 * The operations that change a resource. SCIM PATCH takes operations instead of the resource, and a 501
 * changes nothing.
 */
export const changing = operations.filter(
  ({ method, path, responses }) =>
    !('501' in responses) && (method === 'PUT' || (method === 'PATCH' && !path.includes('/scim/v2/'))),
)

const ofChange = new Set(['updated_at', 'modified_at', 'modified_by', 'meta'])
/** Removes the time and the author of the last change, which every change sets. */
export const withoutChange = (body: object) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !ofChange.has(name)))
/**
 * Returns the body for an operation from the resource that was read. Records are in an envelope, and are
 * changed in bulk.
 */
export function resourceOf({ requestBody }: DocumentedOperation, body: Record<string, unknown>): object {
  const schema = schemaOf(requestBody?.content['application/json']?.schema ?? {})
  const alternatives = (schema.anyOf as JsonSchema[] | undefined) ?? []
  const isOfMany = [schema, ...alternatives.map(schemaOf)].some(({ type }) => type === 'array')
  if (isOfMany) return itemsOf(body)
  return Object.keys(body).join() === 'data' ? (body.data as object) : body
}

/** The properties of a body, by name. */
export type Members = Record<string, JsonSchema>

/** Returns the properties of a body that rejects unknown properties. */
export function membersOf({ requestBody }: DocumentedOperation): Members | undefined {
  const { additionalProperties, properties } = schemaOf(
    requestBody?.content['application/json']?.schema ?? {},
  )
  return additionalProperties === false ? (properties as Members) : undefined
}

/** Returns the messages by property, in the error format of any operation. */
export const messagesOf = ({ details, detail = details, ...body }: Record<string, unknown>) => detail ?? body
/** Tells whether a property cannot be written. */
export const isIgnored = (member: JsonSchema | undefined) => member?.readOnly === true
