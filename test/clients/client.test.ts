/**
 * The built package tessera-client: in Node and in workerd against a running service, and with TanStack
 * Query.
 */
import { join } from 'node:path'
import { InfiniteQueryObserver, QueryClient } from '@tanstack/query-core'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../client/dist/index.js'
import { tableQueries } from '../../client/dist/tanstack-query.js'
import { expected } from '../client/expected.ts'
import { playScenario } from '../client/scenario.ts'
import { type Stack, startStack } from './stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())

/** Creates a site for one run of the scenario. Returns the options of its client. */
async function newSite(slug: string) {
  const auth = { username: stack.email, password: stack.password }
  const body = { name: slug, slug }
  const path = '/api/cloud/organizations/harbour-street/sites/'
  await createClient({ url: stack.base, auth }).request({ method: 'POST', path, body })
  return { url: stack.base, site: slug, auth }
}

describe('the scenario of the client', () => {
  it('runs in Node', async () => {
    const client = createClient(await newSite('in-node'))
    expect(await playScenario(client as never)).toEqual(expected)
  })

  it('runs in workerd', async () => {
    const options = await newSite('in-workerd')
    const { outputFiles } = await build({
      stdin: { contents: workerSource(options), resolveDir: import.meta.dirname, loader: 'ts' },
      bundle: true,
      format: 'esm',
      write: false,
    })
    const modules = [{ type: 'ESModule' as const, path: 'worker.js', contents: outputFiles[0]?.text ?? '' }]
    const worker = new Miniflare(
      convertV4MiniflareOptions({
        cf: false,
        workers: [{ name: 'trial', compatibilityDate: '2026-01-01', modules }],
      }),
    )
    try {
      const answer = await worker.dispatchFetch('http://worker/')
      expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(expected)))
    } finally {
      await worker.dispose()
    }
  })
})

const workerSource = (options: object) => `
import { createClient } from ${JSON.stringify(join(import.meta.dirname, '../../client/dist/index.js'))}
import { playScenario } from '../client/scenario.ts'
export default {
  async fetch() {
    try {
      return Response.json(await playScenario(createClient(${JSON.stringify(options)})))
    } catch (error) {
      return Response.json(String(error.stack))
    }
  },
}`

describe('TanStack Query', () => {
  it('reads, reads again after an invalidation, and pages with cursors', async () => {
    const client = createClient({ url: stack.base, auth: { token: stack.token } })
    const makers = client.app('workshop').$table('makers')
    await makers.createMany(['Ostra', 'Kestrel', 'Tamura'].map((name) => ({ name })))
    const { list, record, infinite, keys } = tableQueries(makers, ['workshop', 'makers'])
    const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
    const where = { name__startswith: 'O' }
    const ostra = list({ where }, (table, options) => table.list({ where, ...options }))
    const { data } = await queries.fetchQuery(ostra)
    expect(data.map(({ name }) => name)).toEqual(['Ostra'])
    await makers.update(data[0]?.id as number, { name: 'Ostra & Sons' })
    expect((await queries.fetchQuery(ostra)).data[0]?.name).toBe('Ostra')
    await queries.invalidateQueries({ queryKey: keys.lists })
    expect((await queries.fetchQuery(ostra)).data[0]?.name).toBe('Ostra & Sons')
    const key = data[0]?.id as number
    const one = record(key, (table, options) => table.get(key, options))
    expect((await queries.fetchQuery(one)).name).toBe('Ostra & Sons')

    const pages = new InfiniteQueryObserver(
      queries,
      infinite('by name', (table, options) => table.list({ ordering: ['name'], pageSize: 2, ...options })),
    )
    await pages.fetchNextPage()
    const { data: walked, hasNextPage } = await pages.fetchNextPage()
    expect(walked?.pages.map((page) => page.data.map(({ name }) => name))).toEqual([
      ['Kestrel', 'Ostra & Sons'],
      ['Tamura'],
    ])
    expect(hasNextPage).toBe(false)
    queries.clear()
  })
})
