/**
 * The processes in which the local stack runs functions: which run gets one, which waits, and what a run
 * leaves behind.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { functionCode } from '../../dev/functions/function-code.ts'
import { type FunctionPool, type Limits, startPool } from '../../dev/functions/pool.ts'
import { programMaker } from '../../dev/functions/program.ts'
import type { IsolateCall } from '../../src/runtime/functions/runners/isolate.ts'
import { treeOf } from '../support/processes.ts'
import { scaled } from '../support/scaled.ts'
import { timeLimit } from '../support/time-limit.ts'
import { until } from '../support/until.ts'

const make = await programMaker()
const program = make(await functionCode(), { privateHosts: false, gate: '127.0.0.1:0' })
let pool: FunctionPool

const start = (limits: Partial<Limits> = {}) => {
  pool = startPool(program, limits)
}

afterEach(() => pool.stop())

interface Asked {
  code: string
  site?: string
  timeoutMs?: number
  withinMs?: number
  allowedHosts?: string[]
  params?: unknown
}

/** Runs a function. Returns the status, and its result, its error, or the reason why it has neither. */
async function run({
  code,
  site = '1',
  timeoutMs = 20_000,
  withinMs,
  allowedHosts = [],
  params = null,
}: Asked): Promise<[status: number, outcome: unknown]> {
  const outgoing = { ALLOW_PRIVATE_HOSTS: true, DNS_OVER_HTTPS: 'https://resolver.invalid/' }
  const call: IsolateCall = {
    name: `${site} ${code}`,
    code,
    allowedHosts,
    outgoing,
    fetchMs: timeoutMs,
    credential: '',
    body: JSON.stringify({ params, context: {}, secrets: [] }),
  }
  const { status, text } = await pool.run({
    site,
    isolate: call.name,
    timeoutMs,
    ...(withinMs ? { withinMs } : {}),
    call: Buffer.from(JSON.stringify(call)),
  })
  if (status !== 200) return [status, text]
  const { result, error } = JSON.parse(text)
  return [status, result ?? error]
}

/** Starts a server that answers a path when its gate is open. */
async function startGates() {
  const opened = new Set<string>()
  const held = new Map<string, () => void>()
  const server = createServer(({ url = '' }, response) => {
    const pass = () => void response.end('passed')
    if (opened.has(url)) pass()
    else held.set(url, pass)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    open(path: string) {
      opened.add(path)
      held.get(path)?.()
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const counting =
  'let runs = 0; export default async () => { runs++; await new Promise((done) => setTimeout(done, 100)); return runs }'
const sleeping = (ms: number) =>
  `export default () => new Promise((done) => setTimeout(() => done('slept'), ${ms}))`
const looping = 'export default () => { while (true); }'

describe('a process for functions', () => {
  it('has one run at a time, and is kept for the next run of the same function', async () => {
    start()
    const pair = await Promise.all([run({ code: counting }), run({ code: counting })])
    const third = await run({ code: counting })
    const ofOther = await run({ code: counting, site: '2' })
    expect([...pair, third, ofOther]).toEqual([
      [200, 1],
      [200, 1],
      [200, 2],
      [200, 1],
    ])
  })

  it('is ended with a run that exceeds its time limit or its CPU time', async () => {
    start({ cpuMs: 700 })
    const ended = await Promise.all([
      run({ code: looping, timeoutMs: 300 }),
      run({ code: sleeping(60_000), timeoutMs: 300 }),
      run({ code: looping }),
    ])
    expect(ended).toEqual([
      [422, 'The function took longer than 0.3 seconds.'],
      [422, 'The function took longer than 0.3 seconds.'],
      [422, 'The function used more than its CPU limit of 0.7 s and was stopped.'],
    ])
  })

  it('is ended with a run that exceeds its memory', async () => {
    // A slow machine needs more CPU time to fill the memory than the other tests allow.
    start()
    const code =
      'export default () => { const all = []; for (;;) all.push(new Uint8Array(10_000_000).fill(1)) }'
    expect(await run({ code })).toEqual([
      422,
      'The function used more than 512 MiB of memory and was stopped.',
    ])
  })

  it('is ended if code that a run has left behind loops', async () => {
    start({ cpuMs: 300 })
    const code = `
      import { waitUntil } from 'cloudflare:workers'
      let runs = 0
      export default () => {
        waitUntil(new Promise((done) => setTimeout(done, 50)).then(() => { while (true); }))
        return ++runs
      }`
    expect(await run({ code })).toEqual([200, 1])
    await until(
      () => treeOf(process.pid).every(({ name }) => name !== 'workerd'),
      () => 'the end of the process',
    )
    expect(await run({ code })).toEqual([200, 1])
  })

  it('causes a failure of the run if it cannot be started', async () => {
    pool = startPool({ ...program, command: '/nonexistent/workerd' })
    expect(await run({ code: counting })).toEqual([422, expect.stringContaining('workerd did not start')])
  })

  it('reaches no private address, even if the check of the host name allows it', async () => {
    let reached = 0
    const server = createServer((_request, response) => {
      reached++
      response.end('reached')
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    try {
      start()
      const code = `export default async () => (await fetch('http://localhost:${port}/')).text()`
      expect(await run({ code, allowedHosts: ['localhost'] })).toEqual([
        200,
        expect.stringContaining('the server does not respond'),
      ])
      expect(reached).toBe(0)
    } finally {
      server.close()
    }
  })
})

describe('when the maximum of concurrent runs is reached', () => {
  it('a run waits for its turn', async () => {
    start({ runsMax: 1 })
    expect(await Promise.all([run({ code: sleeping(300) }), run({ code: counting })])).toEqual([
      [200, 'slept'],
      [200, 1],
    ])
  })

  it('a run whose turn does not come in time returns 503 and has not started', async () => {
    start({ runsMax: 1, waitMs: 300 })
    const outcomes = await Promise.all([run({ code: sleeping(1500) }), run({ code: counting })])
    expect(outcomes).toEqual([
      [200, 'slept'],
      [503, 'No process for functions was free in time.'],
    ])
    expect(await run({ code: counting })).toEqual([200, 1])
  })

  it('a run ends in time, including its wait', async () => {
    start({ runsMax: 1 })
    // Time for the first process to start and end its run, and for the second one to start.
    const withinMs = scaled(3000)
    const began = Date.now()
    const first = run({ code: sleeping(1500) })
    const outcomes = await Promise.all([
      run({ code: counting, withinMs: 500 }),
      run({ code: sleeping(120_000), timeoutMs: withinMs, withinMs }),
      first,
    ])
    expect(outcomes).toEqual([
      [503, 'No process for functions was free in time.'],
      [422, 'The function had to wait for a free process and did not end in time.'],
      [200, 'slept'],
    ])
    expect(Date.now() - began).toBeLessThan(withinMs + (await timeLimit(2000)))
  })

  it('neither a function nor a site gets more than its share', async () => {
    const gates = await startGates()
    const limits = { runsMax: 4, siteRunsMax: 2, isolateRunsMax: 1, waitMs: scaled(60_000) }
    pool = startPool(make(await functionCode(), { privateHosts: true, gate: '127.0.0.1:0' }), limits)
    const code = `export default async (path) => path ? (await fetch('${gates.url}' + path)).text() : 'passed'`
    const ended: string[] = []
    const named = async (name: string, asked: Asked) => {
      const outcome = await run({ ...asked, allowedHosts: ['localhost'], timeoutMs: scaled(60_000) })
      expect(outcome).toEqual([200, 'passed'])
      ended.push(name)
    }
    const hasEnded = (name: string) =>
      until(
        () => ended.includes(name),
        () => `the end of ${name}; ended: ${ended}`,
      )
    try {
      const all = Promise.all([
        named('the first', { code, params: '/first' }),
        named('another run of its function', { code }),
        named('another function of its site', { code: `${code} // another`, params: '/another' }),
        named('a third one', { code: `${code} // a third function` }),
        named('one of another site', { code, site: '2' }),
      ])
      await hasEnded('one of another site')
      // In this time, the other runs could have started too.
      await named('a later one of another site', { code: `${code} // later`, site: '2' })
      gates.open('/another')
      await hasEnded('a third one')
      gates.open('/first')
      await all
    } finally {
      gates.close()
    }
    expect(ended).toEqual([
      'one of another site',
      'a later one of another site',
      'another function of its site',
      'a third one',
      'the first',
      'another run of its function',
    ])
  })

  it('a process that waits for another run of its function makes room', async () => {
    start({ runsMax: 1 })
    const other = counting.replace('runs = 0', 'runs = 10')
    expect([
      await run({ code: counting }),
      await run({ code: other }),
      await run({ code: counting }),
    ]).toEqual([
      [200, 1],
      [200, 11],
      [200, 1],
    ])
  })
})

it('runs that start after a reload use the new program', async () => {
  start()
  expect(await run({ code: counting })).toEqual([200, 1])
  pool.replace({ ...program })
  expect(await run({ code: counting })).toEqual([200, 1])
})
