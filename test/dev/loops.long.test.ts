/**
 * Functions that loop in the stack of `npm start`: the service and other functions continue, and the stack
 * ends on request.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerMs, cpuSeconds, endless, innocent, records, stopped, whileAsking } from '../support/loops.ts'
import { type Invocation, type NpmStart, npmStart } from '../support/npm-start.ts'
import { commandOf, survivorsOf, treeOf } from '../support/processes.ts'
import { scaled } from '../support/scaled.ts'
import { timeLimit } from '../support/time-limit.ts'
import { until } from '../support/until.ts'

const loops: [what: string, code: string][] = [
  ['loops', endless],
  ['awaits without end', 'export default async () => { for (;;) await null }'],
  ['has a regular expression backtrack', 'export default () => /^(a+)+$/.test("a".repeat(64) + "b")'],
  ['loops as it is loaded', 'while (true);\nexport default () => 1'],
  [
    'computes without end between timers',
    'export default async () => { for (;;) { for (let n = 0; n < 1e8; n++); await new Promise((done) => setTimeout(done)) } }',
  ],
]

let service: NpmStart

beforeAll(async () => {
  service = await npmStart({ FUNCTION_CPU_SECONDS: String(cpuSeconds) })
})

afterAll(() => service?.end())

/** Returns the processes of the stack with this name. */
const processes = (name: string) =>
  treeOf(service.stack.process.pid as number).filter((info) => info.name === name)

describe('a function that never ends', () => {
  beforeAll(async () => {
    await service.makeFunction('innocent', innocent)
  })

  it.each(loops)(
    'and %s is stopped at its CPU limit; the service and other functions continue',
    async (what, code) => {
      const { slug } = await service.makeFunction(what, code)
      const { result, slowestMs } = await whileAsking(service, () =>
        Promise.all([service.execute(slug), service.execute('innocent', { n: 7 })]),
      )
      expect(result).toMatchObject([
        { status: 'FAILURE', error: stopped, result: null },
        { status: 'SUCCESS', error: null, result: 7 },
      ])
      expect(slowestMs).toBeLessThan(answerMs())
      expect(await service.execute('innocent', { n: 8 })).toMatchObject({ status: 'SUCCESS', result: 8 })
    },
  )

  it('does not stop the service and other functions, even if eight run at once', async () => {
    const before = processes('workerd').length
    const { result, slowestMs } = await whileAsking(service, async () => {
      const looping = Promise.all(Array.from({ length: 8 }, () => service.execute('loops')))
      await until(
        () => processes('workerd').length > before,
        () => 'one that loops',
      )
      const others = await Promise.all([1, 2, 3].map((n) => service.execute('innocent', { n })))
      return { looping: await looping, others }
    })
    expect(result.looping.map(({ status, error }) => [status, error])).toEqual(
      Array.from({ length: 8 }, () => ['FAILURE', stopped]),
    )
    expect(result.others.map((run) => [run.status, run.result])).toEqual([1, 2, 3].map((n) => ['SUCCESS', n]))
    expect(slowestMs).toBeLessThan(answerMs())
  })

  it('and is subscribed to an event delays no other events, and is retried', async () => {
    const subscribe = async (name: string, code: string) => {
      const { id } = await service.makeFunction(name, code)
      await service.client.request('POST', '/api/cloud/events/RECORD_CREATE/subscribe/', { function_id: id })
    }
    const runsOf = async (slug: string, query = '') =>
      (
        await service.client.request<{ results: Invocation[] }>(
          'GET',
          `/api/invocations/?function_slug=${slug}${query}`,
        )
      ).results
    await subscribe('stuck listener', endless)
    await subscribe('listener', 'export default ({ record_id }) => record_id')
    for (let n = 0; n < 4; n++) await service.client.request('POST', records, { name: `Category ${n}` })
    await until(
      async () => (await runsOf('listener', '&status=SUCCESS')).length === 4,
      () => 'four runs that were not held up',
    )
    const waits = (await runsOf('listener')).map(
      (run) => Date.parse(run.started_at) - Date.parse(run.created_at),
    )
    expect(Math.max(...waits)).toBeLessThan(answerMs())
    await until(
      async () => (await runsOf('stuck-listener', '&status=RETRY')).length > 0,
      () => 'a run that is tried again',
    )
    const [tried] = await runsOf('stuck-listener', '&status=RETRY')
    expect(tried).toMatchObject({ error: stopped })
  })
})

describe('while functions loop, the whole stack ends within 3 s', () => {
  /** Kills the processes that run these files, in the tree below npm. */
  const kill = (...files: string[]) => {
    const runs = (pid: number, file: string) => commandOf(pid).split(' ')[1]?.endsWith(file)
    const found = treeOf(service.stack.process.pid as number).filter(({ pid }) =>
      files.some((file) => runs(pid, file)),
    )
    expect(found).toHaveLength(files.length)
    for (const { pid } of found) process.kill(pid, 'SIGKILL')
  }

  beforeAll(async () => {
    await service.makeFunction('endless', endless)
  })

  it.each<[string, () => void]>([
    ['on Ctrl-C', () => process.kill(-(service.stack.process.pid as number), 'SIGINT')],
    ['on SIGTERM to npm', () => process.kill(service.stack.process.pid as number, 'SIGTERM')],
    [
      'on SIGHUP, as when its terminal is closed',
      () => process.kill(-(service.stack.process.pid as number), 'SIGHUP'),
    ],
    ['when npm is killed', () => process.kill(service.stack.process.pid as number, 'SIGKILL')],
    ['when dev/run.mjs is killed', () => kill('dev/run.mjs')],
    ['when that and dev/start.ts are killed', () => kill('dev/run.mjs', 'dev/start.ts')],
  ])('%s', async (_how, end) => {
    if (service.stack.process.exitCode !== null || service.stack.process.signalCode !== null)
      await service.start({ FUNCTION_CPU_SECONDS: '60' })
    const before = processes('workerd').length
    const looping = Promise.allSettled([service.execute('endless'), service.execute('endless')])
    await until(
      () => processes('workerd').length === before + 2,
      () => 'two processes that loop',
    )
    const tree = treeOf(service.stack.process.pid as number)
    const began = performance.now()
    end()
    await until(
      async () => survivorsOf(tree).length === 0,
      () => `no process left: ${JSON.stringify(survivorsOf(tree))}`,
      scaled(10_000),
    )
    // Within 2.5 s dev/run.mjs kills all remaining processes. The rest of the limit is for the operating
    // system.
    expect(performance.now() - began).toBeLessThan(2_500 + (await timeLimit(500)))
    await looping
    await service.stack.exited
  })
})
