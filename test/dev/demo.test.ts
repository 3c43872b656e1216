/** The demo: its content is the same at every start, and an interrupted start can be completed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, signIn } from '../../dev/client.ts'
import { demoApps } from '../../dev/demo/data.ts'
import { seedDemo } from '../../dev/demo/seed.ts'
import { type Stack, startStack } from '../../dev/examples/stack.ts'
import { scaled } from '../support/scaled.ts'

let stack: Stack
let client: Client

beforeAll(async () => {
  stack = await startStack()
  client = await signIn(stack.address, 'admin@example.com', 'Admin-demo-1')
})
afterAll(() => stack?.stop())

interface Listed {
  total: number
}

const countRecords = async (): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { slug, resources, documents = [] } of demoApps) {
    for (const { name } of [...resources, ...documents]) {
      const path = `/api/apps/${slug}/datatables/${name}/data/?page_size=1&include_deleted=true`
      counts[`${slug}/${name}`] = (await client.request<Listed>('GET', path)).total
    }
  }
  return counts
}

const secrets = async (level: string) => {
  const { items } = await client.request<{ items: { key: string; sensitivity_level: string }[] }>(
    'GET',
    `/api/secrets/?ordering=key${level}`,
  )
  return items.map(({ key, sensitivity_level }) => [key, sensitivity_level])
}

describe('the demo', () => {
  it('has four apps with 2,000 records', async () => {
    const counts = await countRecords()
    expect(Object.keys(counts)).toHaveLength(18)
    expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(2_000)
  })

  it('is the same at every start', () => {
    for (const { rows, edges } of demoApps) {
      expect(rows()).toEqual(rows())
      expect(edges?.()).toEqual(edges?.())
    }
  })

  it('the demo has one organization chart, which contains everybody', async () => {
    const path = '/api/apps/company/datatables/people/data/?format=tree&relationship_type=manager'
    const { data, total } = await client.request<Listed & { data: unknown[] }>('GET', path)
    expect([data.length, total]).toEqual([1, 60])
  })

  it('the demo has secrets of each sensitivity level', async () => {
    expect(await secrets('')).toEqual([
      ['PAYMENTS', 'private'],
      ['SIGNATURE', 'sensitive'],
      ['STOREFRONT', 'public'],
    ])
    expect(await secrets('&app=shop')).toEqual([['PAYMENTS', 'private']])
  })

  it('the demo has runs of functions: by request, by an event, and one whose condition was false', async () => {
    const runs = async () =>
      (await client.request<{ results: { status: string }[] }>('GET', '/api/invocations/?ordering=id'))
        .results
    await expect
      .poll(async () => (await runs()).map(({ status }) => status), { timeout: scaled(60_000) })
      .toEqual(['SUCCESS', 'SUCCESS', 'SKIPPED'])
  })

  it('an unfinished demo is completed by the next start, which creates nothing twice', async () => {
    const before = await countRecords()
    await client.request('DELETE', '/api/apps/desk/datatables/articles/data/?ids=1,2,3')
    await seedDemo(client)
    expect((await countRecords())['desk/articles']).toBe(17)
    await client.request('PATCH', '/api/cloud/sites/demo/', { name: 'Demo (unfinished)' })
    await client.request(
      'DELETE',
      `/api/apps/desk/datatables/articles/data/?filter=${encodeURIComponent('{"id__gt": 0}')}`,
    )
    await seedDemo(client)
    expect(await countRecords()).toEqual(before)
    expect(await secrets('&app=shop')).toEqual([['PAYMENTS', 'private']])
    expect(await client.find('/api/cloud/sites/demo/')).toMatchObject({ name: 'Demo' })
  })
})
