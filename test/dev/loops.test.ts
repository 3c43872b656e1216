/**
 * Functions in the stack of `npm start`: what their process hides from them, and how one that loops is
 * stopped. loops.long.test.ts has loops of every kind, many loops at once, and the end of the stack during
 * loops.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerMs, cpuSeconds, endless, innocent, stopped, whileAsking } from '../support/loops.ts'
import { type NpmStart, npmStart } from '../support/npm-start.ts'

let service: NpmStart

beforeAll(async () => {
  service = await npmStart({ FUNCTION_CPU_SECONDS: String(cpuSeconds), ALLOW_PRIVATE_HOSTS: 'true' })
})

afterAll(() => service?.end())

describe('a function that never ends', () => {
  it('is stopped at its CPU limit; the service and other functions continue', async () => {
    await service.makeFunction('innocent', innocent)
    await service.makeFunction('endless', endless)
    const { result, slowestMs } = await whileAsking(service, () =>
      Promise.all([service.execute('endless'), service.execute('innocent', { n: 7 })]),
    )
    expect(result).toMatchObject([
      { status: 'FAILURE', error: stopped, result: null },
      { status: 'SUCCESS', error: null, result: 7 },
    ])
    expect(slowestMs).toBeLessThan(answerMs())
    expect(await service.execute('innocent', { n: 8 })).toMatchObject({ status: 'SUCCESS', result: 8 })
  })

  it('is stopped at its time limit if that comes first', async () => {
    await service.makeFunction('hurried', 'export default () => { while (true); }', { timeout_seconds: 1 })
    expect(await service.execute('hurried')).toMatchObject({
      status: 'FAILURE',
      error: 'The function took longer than 1 seconds.',
    })
  })
})

describe('a function in its process', () => {
  it('has no variables, no bindings and no network access', async () => {
    await service.makeFunction(
      'bare',
      `import { env, exports } from 'cloudflare:workers'
       import { connect } from 'cloudflare:sockets'
       const failed = (work) => work().then(() => 'reached', (error) => error.message)
       const asked = async () => fetch('${service.base}/healthz')
       const connected = async () => connect('127.0.0.1:${service.port}').opened
       export default async () => ({
         names: [Object.keys(env), Object.keys(process.env), Object.keys(exports)],
         network: [await failed(asked), await failed(connected)],
       })`,
    )
    const refusal = expect.stringContaining('not permitted to access the internet')
    expect((await service.execute('bare')).result).toEqual({
      names: [[], [], ['default']],
      network: [refusal, refusal],
    })
  })

  it('reaches the hosts that are allowed for it', async () => {
    const server = createServer((request, response) => response.end(`${request.method} ${request.url}`))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port: serverPort } = server.address() as AddressInfo
    try {
      const code = `export default async ({ host }) => (await fetch(\`http://\${host}:${serverPort}/here\`, { method: 'POST', body: 'x' })).text()`
      const { slug } = await service.makeFunction('caller', code, { allowed_hosts: ['localhost'] })
      expect(await service.execute(slug, { host: 'localhost' })).toMatchObject({
        status: 'SUCCESS',
        result: 'POST /here',
      })
      expect(await service.execute(slug, { host: '127.0.0.1' })).toMatchObject({
        status: 'FAILURE',
        error: expect.stringContaining('may not reach the host "127.0.0.1"'),
      })
    } finally {
      server.close()
    }
  })

  it('reaches the API of its own site, only through the gate', async () => {
    const code = `export default async (params, { client }) => {
      const { total } = await client.get('/api/apps/library/datatables/tools/data/?page_size=1')
      const { status } = await client.fetch('/api/apps/library/')
      return [total, status]
    }`
    const { slug } = await service.makeFunction('client', code)
    expect((await service.execute(slug)).result).toEqual([expect.any(Number), 403])
  })

  it('has limits on its result and its log', async () => {
    const { slug: large } = await service.makeFunction('large', 'export default () => "x".repeat(2_000_000)')
    const { slug: loud } = await service.makeFunction(
      'loud',
      'export default () => { for (let n = 0; n < 1024; n++) console.log("x".repeat(1024)) }',
    )
    const tampering =
      'const Own = Response; export default () => { globalThis.Response = function () { return new Own("x".repeat(5_000_000)) } }'
    const { slug: huge } = await service.makeFunction('huge', tampering)
    expect([
      (await service.execute(large)).error,
      (await service.execute(loud)).error,
      (await service.execute(huge)).error,
    ]).toEqual([
      'The result is more than 1048576 bytes.',
      'The function printed more than 262144 bytes.',
      'The function returned more than 4194304 bytes with its log.',
    ])
  })
})
