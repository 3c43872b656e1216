/** `npm start` as a person runs it: a process, a port, signals, and a database that fails. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { Validator as OpenApiValidator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../dev/free-port.ts'
import { temporaryFolder } from '../../dev/temporary-folder.ts'
import { membersOf, type Run, run } from '../support/processes.ts'
import { scaled } from '../support/scaled.ts'
import { timeLimit } from '../support/time-limit.ts'
import { until } from '../support/until.ts'

const folder = temporaryFolder('test')
// As root, Postgres runs as another user, who needs access to its files.
chmodSync(folder, 0o711)
const email = 'root@example.net'
const password = "It's-a-pass-1"

let port: number
let stack: Run
let base: string

const start = () =>
  run(['start'], {
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    ADMIN_EMAIL: email,
    ADMIN_PASSWORD: password,
    RATE_LIMIT_SCALE: '1000',
    TOKEN_ISSUER: 'the-stack',
  })
const status = async (path: string, init?: RequestInit) => (await fetch(`${base}${path}`, init)).status
const ready = () =>
  until(
    async () => (await status('/readyz')) === 200,
    () => `/readyz\n${stack.output()}`,
  )

async function token(): Promise<string> {
  const response = await fetch(`${base}/api/auth/jwt/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: email, password }),
  })
  return ((await response.json()) as { access: string }).access
}

/** Returns the status and body of a request with this Host header, which `fetch` would not send. */
const at = (host: string, path: string): Promise<[status: number | undefined, body: unknown]> =>
  new Promise((done, fail) => {
    const sent = get({ host: '127.0.0.1', port, path, headers: { host } }, async (response) => {
      let text = ''
      for await (const part of response) text += part
      done([response.statusCode, JSON.parse(text)])
    })
    sent.on('error', fail)
  })

beforeAll(async () => {
  port = await freePort()
  base = `http://127.0.0.1:${port}`
  stack = start()
  await ready()
})

afterAll(async () => {
  if (stack.process.exitCode === null) process.kill(-(stack.process.pid as number), 'SIGTERM')
  await stack.exited
  rmSync(folder, { recursive: true, force: true })
})

describe('npm start', () => {
  it('prints the address, the credentials and three curl lines that work', async () => {
    await until(
      async () => stack.output().includes('Try it:'),
      () => 'the greeting',
    )
    expect(stack.output()).toContain(`Tessera runs at ${base}`)
    expect(stack.output()).toContain(email)
    const lines = stack
      .output()
      .split('\n')
      .filter((line) => /^ {2}(TOKEN=|curl)/.test(line))
      .map((line) => line.trim())
    expect(lines).toHaveLength(3)
    const script = `${lines[0]}\n${lines
      .slice(1)
      .map((line) => `${line}; echo`)
      .join('\n')}\n`
    const output = await new Promise<string>((done) => {
      const shell = spawn('bash', ['-c', script])
      let text = ''
      shell.stdout.on('data', (chunk) => {
        text += chunk
      })
      shell.once('exit', () => done(text))
    })
    const [listed, created] = output
      .replaceAll(', \n', ', ')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(listed).toMatchObject({ data: expect.any(Array), page_size: 3, total: expect.any(Number) })
    expect(listed.data).toHaveLength(3)
    expect(created).toMatchObject({ data: { name: 'Torque wrench', condition: 'good' } })
  })

  it('has a login page for the demo site, which signs in', async () => {
    const page = await fetch(`${base}/accounts/login/`)
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining('<h1>Sign in to Demo</h1>'),
    ])
    expect((await fetch(`${base}/page.css`)).status).toBe(200)
    const signedIn = await fetch(`${base}/accounts/login/`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: base },
      body: new URLSearchParams({ username: email, password }),
    })
    expect([signedIn.status, signedIn.headers.get('location'), signedIn.headers.get('set-cookie')]).toEqual([
      303,
      '/',
      expect.stringMatching(/^sessionid=/),
    ])
  })

  it('allows CORS for every port of this machine, and passes the variables of its environment to the Worker', async () => {
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1:3000', 'https://evil.example']) {
      const answer = await fetch(`${base}/api/apps/`, { headers: { origin } })
      expect(answer.headers.get('access-control-allow-origin')).toBe(
        origin === 'https://evil.example' ? null : origin,
      )
    }
    const claims = JSON.parse(Buffer.from((await token()).split('.')[1] as string, 'base64url').toString())
    expect(claims).toMatchObject({ iss: 'the-stack', iat: expect.any(Number) })
    expect(Number.isInteger(claims.iat)).toBe(true)
  })

  it('serves a site at its name below localhost, and at a domain, which is verified at once', async () => {
    expect(await at(`demo.localhost:${port}`, '/api/auth/social-apps/')).toMatchObject([
      200,
      { success: true },
    ])
    expect(await at(`nowhere.localhost:${port}`, '/api/auth/social-apps/')).toEqual([
      404,
      { detail: 'Not found.', code: 'not_found' },
    ])
    const added = await fetch(`${base}/api/cloud/sites/demo/domains/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await token()}` },
      body: JSON.stringify({ domain: 'shop.example' }),
    })
    expect([added.status, await added.json()]).toMatchObject([
      201,
      { domain: 'shop.example', status: 'verified' },
    ])
    expect(await at('shop.example', '/sites/other/api/auth/social-apps/')).toEqual([
      404,
      { detail: 'Not found.', code: 'not_found' },
    ])
  })

  it.each(['%00.localhost', 'a b', 'x.1', 'localhost:99999', 'root@localhost', '[::1'])(
    'returns 400 {detail} for an invalid Host header: %j',
    async (host) => {
      expect(await at(host, '/api/apps/')).toEqual([
        400,
        { detail: 'The host of the request is not a valid host name.', code: 'invalid_host' },
      ])
      expect(stack.output()).not.toContain('Uncaught exception')
    },
  )

  it('publishes OpenAPI documents of the service and of an app that a validator accepts', async () => {
    const headers = { authorization: `Bearer ${await token()}` }
    for (const path of ['/api/schema/', '/api/apps/library/schema/']) {
      const document = (await (await fetch(`${base}${path}`, { headers })).json()) as Record<string, unknown>
      const validator = new OpenApiValidator()
      const { valid, errors } = await validator.validate(document)
      expect([path, errors, valid]).toEqual([path, undefined, true])
      // Every reference can be resolved.
      expect(() => validator.resolveRefs()).not.toThrow()
    }
  })

  it('exits with a message if the port is taken', async () => {
    const second = run(['start'], { PORT: String(port), DATA_DIR: join(folder, 'other') })
    expect(await second.exited).toBe(1)
    expect(second.output()).toContain(`Tessera did not start: port ${port} is taken.`)
    expect(existsSync(join(folder, 'other'))).toBe(false)
  })

  it('exits with a message if another stack uses the data', async () => {
    const second = run(['start'], { PORT: String(await freePort()), DATA_DIR: join(folder, 'data') })
    expect(await second.exited).toBe(1)
    expect(second.output()).toMatch(
      /^\nTessera did not start: \S+data is in use by npm start \(pid \d+\) at http:\/\/127\.0\.0\.1:\d+\. Stop that one, /,
    )
    expect(await status('/readyz')).toBe(200)
  })

  it.each([
    ['PORT', 'eighty', 'it has to be a number from 1 to 65535.'],
    ['FUNCTION_CPU_SECONDS', 'ten', 'it has to be a number above 0.'],
  ])('exits with a message if %s is %s', async (name, value, wanted) => {
    const second = run(['start'], { PORT: String(port), [name]: value })
    expect(await second.exited).toBe(1)
    expect(second.output()).toContain(`${name} is ${value}; ${wanted}`)
  })

  it('runs functions for events within a second of the commit; one that hangs in any site delays no other', async () => {
    const headers = { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' }
    // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes
    const call = async (path: string, body?: unknown): Promise<any> => {
      const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      return (await fetch(`${base}${path}`, { headers, ...sent })).json()
    }
    const makeSite = async (slug: string, code: string) => {
      const { slug: organization } = await call('/api/cloud/organizations/', { name: `${slug} org` })
      await call(`/api/cloud/organizations/${organization}/sites/`, { name: slug, slug })
      const api = `/sites/${slug}/api`
      await call(`${api}/apps/`, { name: 'shop' })
      await call(`${api}/apps/shop/datatables/create_schema/?materialize=true`, {
        resources: [
          {
            name: 'notes',
            schema: {
              fields: [
                { name: 'id', type: 'integer' },
                { name: 'created_at', type: 'datetime' },
              ],
              primaryKey: 'id',
            },
          },
        ],
      })
      const { id } = await call(`${api}/apps/shop/functions/`, {
        name: 'listener',
        code,
        timeout_seconds: 20,
      })
      await call(`${api}/cloud/events/RECORD_CREATE/subscribe/`, { function_id: id })
      return { api, make: () => call(`${api}/apps/shop/datatables/notes/data/`, {}) }
    }
    const hanging = await makeSite(
      'hanging',
      'export default () => new Promise((done) => setTimeout(done, 60_000))',
    )
    const prompt = await makeSite('prompt', 'export default ({ record_id }) => record_id')
    await hanging.make()
    const runs = async () =>
      (await call(`${prompt.api}/invocations/`)).results.filter(
        ({ status }: { status: string }) => status === 'SUCCESS',
      ) as {
        params: { data: { created_at: string } }
        started_at: string
      }[]
    for (let made = 1; made <= 5; made++) {
      await prompt.make()
      await until(
        async () => (await runs()).length === made,
        () => `run ${made}\n${stack.output()}`,
      )
    }
    const waits = (await runs())
      .map(({ params, started_at }) => Date.parse(started_at) - Date.parse(params.data.created_at))
      .sort((a, b) => a - b)
    expect(waits[2]).toBeLessThan(await timeLimit(1000))
    expect((await call(`${hanging.api}/invocations/`)).results).toMatchObject([{ status: 'STARTED' }])
  })

  it('returns 503 and never 500 while Postgres is away, and recovers by itself', async () => {
    const access = await token()
    const path = '/api/apps/library/datatables/tools/data/?page_size=1'
    const list = () => status(path, { headers: { authorization: `Bearer ${access}` } })
    expect(await list()).toBe(200)
    const postgres = membersOf(stack.process.pid as number).filter(({ name }) => name.includes('postgres'))
    const postmaster = postgres.find(({ parent }) => !postgres.some(({ pid }) => pid === parent))
    const seen: number[] = []
    let done = false
    const client = async () => {
      while (!done) {
        const code = await list()
        seen.push(code)
        if (code === 200 && seen.includes(503)) done = true
      }
    }
    const clients = Array.from({ length: 12 }, client)
    await until(
      () => seen.length >= 12,
      () => 'clients at work',
    )
    process.kill(postmaster?.pid as number, 'SIGKILL')
    try {
      await until(
        async () => done,
        () => `a 503 and then a 200; seen: ${[...new Set(seen)]}\n${stack.output()}`,
      )
    } finally {
      done = true
      await Promise.allSettled(clients)
    }
    expect(seen.filter((code) => code !== 200 && code !== 503)).toEqual([])
    await ready()
  })

  it('ends with all its processes on SIGTERM to its process group, and keeps its data', async () => {
    const access = await token()
    const group = stack.process.pid as number
    process.kill(-group, 'SIGTERM')
    expect(await stack.exited).toBe(0)
    await until(
      async () => membersOf(group).length === 0,
      () => `no process left: ${JSON.stringify(membersOf(group))}`,
      scaled(10_000),
    )

    stack = start()
    await ready()
    const tools = await fetch(`${base}/api/apps/library/datatables/tools/data/?name=Torque%20wrench`, {
      headers: { authorization: `Bearer ${access}` },
    })
    expect(await tools.json()).toMatchObject({ total: 1 })
  })

  it('ends in the same way on Ctrl-C', async () => {
    const group = stack.process.pid as number
    process.kill(-group, 'SIGINT')
    expect(await stack.exited).toBe(0)
    await until(
      async () => membersOf(group).length === 0,
      () => `no process left: ${JSON.stringify(membersOf(group))}`,
      scaled(10_000),
    )
  })
})
