/** The billed use under load: requests and runs of functions are counted exactly, to one per cent. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, signIn } from '../../dev/client.ts'
import { sharedStack } from '../support/shared-stack.ts'
import { until } from '../support/until.ts'

const admin = { username: 'admin@example.com', password: 'Admin-demo-1' }
const slug = 'metered'
const atOnce = 32
const [reads, writes, missing, runs, strangers] = [3_000, 600, 300, 100, 500]
/** The tolerance of a count. */
const tolerance = 0.01

let address: string
let client: Client
let token: string

interface Use {
  use: { requests: number; invocations: number; records: number }
}

const use = async () => (await client.request<Use>('GET', `/api/cloud/sites/${slug}/use/`)).use

beforeAll(async () => {
  ;({ address } = await sharedStack())
  client = await signIn(address, admin.username, admin.password)
  const answer = await fetch(`${address}/api/auth/jwt/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })
  token = ((await answer.json()) as { access: string }).access
  await client.request('POST', '/api/cloud/organizations/', { name: 'Metered' })
  await client.request('POST', '/api/cloud/organizations/metered/sites/', { name: slug, slug })
  const post = (path: string, body: unknown) => client.request('POST', `/sites/${slug}/api/${path}`, body)
  await post('apps/', { name: 'Shop' })
  await post('apps/shop/datatables/create_schema/?materialize=true', {
    resources: [{ name: 'items', schema: { fields: [{ name: 'id', type: 'integer' }], primaryKey: 'id' } }],
  })
  await post('apps/shop/functions/', { name: 'noop', execution_mode: 'system', system_function: 'noop' })
})

interface Sent {
  method: 'GET' | 'POST'
  path: string
  body?: unknown
  authorization?: string
}

/** Sends requests, several at a time. Returns the number of responses by status. */
async function send(all: readonly Sent[]): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  const queue = all.values()
  const sender = async () => {
    for (const { method, path, body, authorization = `Bearer ${token}` } of queue) {
      const { status } = await fetch(`${address}/sites/${slug}/api/${path}`, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).then(async (answer) => {
        await answer.arrayBuffer()
        return answer
      })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sender))
  return statuses
}

const times = (count: number, make: (n: number) => Sent): Sent[] =>
  Array.from({ length: count }, (_, n) => make(n))

describe('the use of a site under load', () => {
  it('equals the sent requests, to one per cent, without those that did not enter the site', async () => {
    const items = 'apps/shop/datatables/items/data/'
    const all = [
      ...times(reads, () => ({ method: 'GET', path: `${items}?limit=1` })),
      ...times(writes, (n) => ({ method: 'POST', path: items, body: { id: n + 1 } })),
      ...times(missing, (n) => ({ method: 'GET', path: `${items}${1_000_000 + n}/` })),
      ...times(runs, () => ({ method: 'POST', path: 'apps/shop/functions/noop/execute/', body: {} })),
      // These get 401, and the site does not pay for them.
      ...times(strangers, () => ({ method: 'GET', path: `${items}?limit=1`, authorization: 'Bearer x.y.z' })),
    ]
    // The use while the site was created is stored first.
    let before = await use()
    await until(
      async () => {
        const now = await use()
        const isSame = now.requests === before.requests && now.requests > 0
        before = now
        if (!isSame) await new Promise((resolve) => setTimeout(resolve, 6_000))
        return isSame
      },
      () => 'the use is stored',
    )
    const began = performance.now()
    const statuses = await send(all)
    const seconds = (performance.now() - began) / 1000
    expect(statuses.get(401)).toBe(strangers)
    const [ok, created, notFound] = [200, 201, 404].map((status) => statuses.get(status) ?? 0)
    const entered = (ok ?? 0) + (created ?? 0) + (notFound ?? 0)
    expect(entered).toBe(reads + writes + missing + runs)
    const billed = { requests: 0, invocations: 0 }
    const isBilled = async () => {
      const now = await use()
      billed.requests = now.requests - before.requests
      billed.invocations = now.invocations - before.invocations
      return billed.requests >= entered * (1 - tolerance) && billed.invocations >= runs * (1 - tolerance)
    }
    await until(isBilled, () => `what was sent is billed: ${JSON.stringify({ billed, entered })}`)
    // Further counts would be stored within this time.
    await new Promise((resolve) => setTimeout(resolve, 6_000))
    await isBilled()
    console.log(JSON.stringify({ entered, billed, per_second: all.length / seconds }))
    expect(Math.abs(billed.requests - entered)).toBeLessThanOrEqual(entered * tolerance)
    expect(Math.abs(billed.invocations - runs)).toBeLessThanOrEqual(runs * tolerance)
  })
})
