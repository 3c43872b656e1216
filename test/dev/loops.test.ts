/** Functions that loop, in the stack of `npm start`: the service goes on, and so do other functions; the stack ends when it is told to. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, signIn } from '../../dev/client.ts'
import { freePort } from '../../dev/postgres.ts'
import { commandOf, type Run, runProgram, survivorsOf, treeOf, until } from '../support/processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'tessera-loops-'))
// Under root, Postgres runs as somebody else, who has to get to its files.
chmodSync(folder, 0o711)
const admin = { email: 'root@example.net', password: 'Loops-and-loops-1' }
const cpuSeconds = 1.2
/** In which the service has to answer while they loop: far more than it takes, as other tests want the machine, too. */
const answerMs = 3000
const stopped = `The function used more than its CPU limit of ${cpuSeconds} s and was stopped.`

const functions = '/api/apps/library/functions/'
const records = '/api/apps/library/datatables/categories/data/'

const loops: [what: string, code: string][] = [
  ['loops', 'export default () => { while (true); }'],
  ['awaits without end', 'export default async () => { for (;;) await null }'],
  ['has a regular expression backtrack', 'export default () => /^(a+)+$/.test("a".repeat(64) + "b")'],
  ['loops as it is loaded', 'while (true);\nexport default () => 1'],
  [
    'computes without end between timers',
    'export default async () => { for (;;) { for (let n = 0; n < 1e8; n++); await new Promise((done) => setTimeout(done)) } }',
  ],
]

interface Invocation {
  id: number
  status: string
  error: string | null
  result: unknown
  attempts: number
  created_at: string
  started_at: string
}

let port: number
let base: string
let stack: Run
let client: Client

async function start(variables: Record<string, string> = {}): Promise<void> {
  stack = runProgram('npm', ['start'], {
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    RATE_LIMIT_SCALE: '1000',
    FUNCTION_CPU_SECONDS: String(cpuSeconds),
    ALLOW_PRIVATE_HOSTS: 'true',
    ...variables,
  })
  await until(
    async () => (await fetch(`${base}/readyz`)).ok,
    () => `/readyz\n${stack.output()}`,
  )
  client = await signIn(base, admin.email, admin.password)
}

beforeAll(async () => {
  port = await freePort()
  base = `http://127.0.0.1:${port}`
  await start()
})

afterAll(async () => {
  if (stack.process.exitCode === null) process.kill(-(stack.process.pid as number), 'SIGTERM')
  await stack.exited
  rmSync(folder, { recursive: true, force: true })
})

const make = (name: string, code: string, more = {}) => client.request<{ id: number; slug: string }>('POST', functions, { name, code, ...more })

async function execute(slug: string, params = {}): Promise<Invocation> {
  return (await client.request<{ invocation: Invocation }>('POST', `${functions}${slug}/execute/`, { params })).invocation
}

/** Does some work, and returns, beside what it came to, the longest that the service took to answer meanwhile, in milliseconds. */
async function whileAsking<Result>(work: () => Promise<Result>): Promise<{ result: Result; slowestMs: number }> {
  let slowestMs = 0
  let done = false
  const asker = async (ask: () => Promise<unknown>) => {
    while (!done) {
      const began = performance.now()
      await ask()
      slowestMs = Math.max(slowestMs, performance.now() - began)
      await new Promise((next) => setTimeout(next, 20))
    }
  }
  const askers = [asker(() => fetch(`${base}/healthz`)), asker(() => client.request('GET', `${records}?page_size=1`))]
  try {
    const result = await work()
    return { result, slowestMs }
  } finally {
    done = true
    await Promise.all(askers)
  }
}

describe('a function that never ends', () => {
  beforeAll(async () => {
    await make('innocent', 'export default ({ n }) => new Promise((done) => setTimeout(() => done(n), 500))')
  })

  it.each(loops)('and %s is stopped at its CPU limit; the service and other functions go on', async (what, code) => {
    const { slug } = await make(what, code)
    const { result, slowestMs } = await whileAsking(() => Promise.all([execute(slug), execute('innocent', { n: 7 })]))
    expect(result).toMatchObject([
      { status: 'FAILURE', error: stopped, result: null },
      { status: 'SUCCESS', error: null, result: 7 },
    ])
    expect(slowestMs).toBeLessThan(answerMs)
    expect(await execute('innocent', { n: 8 })).toMatchObject({ status: 'SUCCESS', result: 8 })
  })

  it('is stopped at its time limit where that comes first', async () => {
    await make('hurried', 'export default () => { while (true); }', { timeout_seconds: 1 })
    expect(await execute('hurried')).toMatchObject({ status: 'FAILURE', error: 'The function took longer than 1 seconds.' })
  })

  it('eight of them at once: the service goes on, and so do other functions', async () => {
    const { result, slowestMs } = await whileAsking(async () => {
      const looping = Promise.all(Array.from({ length: 8 }, () => execute('loops')))
      // They are at it.
      await new Promise((later) => setTimeout(later, 500))
      const innocent = await Promise.all([1, 2, 3].map((n) => execute('innocent', { n })))
      return { looping: await looping, innocent }
    })
    expect(result.looping.map(({ status, error }) => [status, error])).toEqual(Array.from({ length: 8 }, () => ['FAILURE', stopped]))
    expect(result.innocent.map((run) => [run.status, run.result])).toEqual([1, 2, 3].map((n) => ['SUCCESS', n]))
    expect(slowestMs).toBeLessThan(answerMs)
  })

  it('and is subscribed to an event holds up no other delivery, and is tried again', async () => {
    const subscribe = async (name: string, code: string) => {
      const { id } = await make(name, code)
      await client.request('POST', '/api/cloud/events/RECORD_CREATE/subscribe/', { function_id: id })
    }
    const runsOf = async (slug: string, query = '') =>
      (await client.request<{ results: Invocation[] }>('GET', `/api/invocations/?function_slug=${slug}${query}`)).results
    await subscribe('stuck listener', 'export default () => { while (true); }')
    await subscribe('listener', 'export default ({ record_id }) => record_id')
    for (let n = 0; n < 4; n++) await client.request('POST', records, { name: `Category ${n}` })
    await until(
      async () => (await runsOf('listener', '&status=SUCCESS')).length === 4,
      () => 'four runs that were not held up',
      60,
    )
    const waits = (await runsOf('listener')).map((run) => Date.parse(run.started_at) - Date.parse(run.created_at))
    expect(Math.max(...waits)).toBeLessThan(answerMs)
    await until(
      async () => (await runsOf('stuck-listener', '&status=RETRY')).length > 0,
      () => 'a run that is tried again',
      60,
    )
    const [tried] = await runsOf('stuck-listener', '&status=RETRY')
    expect(tried).toMatchObject({ error: stopped })
  })
})

describe('a function in its process', () => {
  it('has no variables, no bindings, no network', async () => {
    await make(
      'bare',
      `import { env, exports } from 'cloudflare:workers'
       import { connect } from 'cloudflare:sockets'
       const failed = (work) => work().then(() => 'reached', (error) => error.message)
       const asked = async () => fetch('${base}/healthz')
       const connected = async () => connect('127.0.0.1:${port}').opened
       export default async () => ({
         names: [Object.keys(env), Object.keys(process.env), Object.keys(exports)],
         network: [await failed(asked), await failed(connected)],
       })`,
    )
    const refusal = expect.stringContaining('not permitted to access the internet')
    expect((await execute('bare')).result).toEqual({ names: [[], [], ['default']], network: [refusal, refusal] })
  })

  it('reaches the hosts that it names', async () => {
    const server = createServer((request, response) => response.end(`${request.method} ${request.url}`))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port: serverPort } = server.address() as AddressInfo
    try {
      const code = `export default async ({ host }) => (await fetch(\`http://\${host}:${serverPort}/here\`, { method: 'POST', body: 'x' })).text()`
      const { slug } = await make('caller', code, { allowed_hosts: ['localhost'] })
      expect(await execute(slug, { host: 'localhost' })).toMatchObject({ status: 'SUCCESS', result: 'POST /here' })
      expect(await execute(slug, { host: '127.0.0.1' })).toMatchObject({
        status: 'FAILURE',
        error: expect.stringContaining('may not reach the host "127.0.0.1"'),
      })
    } finally {
      server.close()
    }
  })

  it('answers, and prints, no more than it may', async () => {
    const { slug: large } = await make('large', 'export default () => "x".repeat(2_000_000)')
    const { slug: loud } = await make('loud', 'export default () => { for (let n = 0; n < 1024; n++) console.log("x".repeat(1024)) }')
    const tampering = 'const Own = Response; export default () => { globalThis.Response = function () { return new Own("x".repeat(5_000_000)) } }'
    const { slug: huge } = await make('huge', tampering)
    expect([(await execute(large)).error, (await execute(loud)).error, (await execute(huge)).error]).toEqual([
      'The result is more than 1048576 bytes.',
      'The function printed more than 262144 bytes.',
      'What the function answered is more than 4194304 bytes.',
    ])
  })
})

describe('while functions loop, the whole stack ends within 3 s', () => {
  /** Kills those of the tree, which has npm as its root, that run these files. */
  const kill = (...files: string[]) => {
    const runs = (pid: number, file: string) => commandOf(pid).split(' ')[1]?.endsWith(file)
    const found = treeOf(stack.process.pid as number).filter(({ pid }) => files.some((file) => runs(pid, file)))
    expect(found).toHaveLength(files.length)
    for (const { pid } of found) process.kill(pid, 'SIGKILL')
  }

  beforeAll(async () => {
    await make('endless', 'export default () => { while (true); }')
  })

  it.each<[string, () => void]>([
    ['on Ctrl-C', () => process.kill(-(stack.process.pid as number), 'SIGINT')],
    ['on SIGTERM to npm', () => process.kill(stack.process.pid as number, 'SIGTERM')],
    ['on SIGHUP, as when its terminal is closed', () => process.kill(-(stack.process.pid as number), 'SIGHUP')],
    ['when npm is killed', () => process.kill(stack.process.pid as number, 'SIGKILL')],
    ['when dev/run.mjs is killed', () => kill('dev/run.mjs')],
    ['when that and dev/start.ts are killed', () => kill('dev/run.mjs', 'dev/start.ts')],
  ])('%s', async (_how, end) => {
    if (stack.process.exitCode !== null || stack.process.signalCode !== null) await start({ FUNCTION_CPU_SECONDS: '60' })
    const before = new Set(treeOf(stack.process.pid as number).map(({ pid }) => pid))
    const looping = Promise.allSettled([execute('endless'), execute('endless')])
    await until(
      async () => treeOf(stack.process.pid as number).filter(({ pid, name }) => name === 'workerd' && !before.has(pid)).length === 2,
      () => 'two processes that loop',
    )
    const tree = treeOf(stack.process.pid as number)
    const began = performance.now()
    end()
    await until(
      async () => survivorsOf(tree).length === 0,
      () => `no process left: ${JSON.stringify(survivorsOf(tree))}`,
      10,
    )
    expect(performance.now() - began).toBeLessThan(3000)
    await looping
    await stack.exited
  })
})
