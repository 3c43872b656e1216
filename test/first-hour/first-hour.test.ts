/** From a clone to a record of one's own, to a running change, and through killed processes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signIn } from '../../dev/client.ts'
import { freePort } from '../../dev/free-port.ts'
import { breakSource, checkout, edit, percentile } from '../support/edits.ts'
import { commandOf, type Run, survivorsOf, treeOf } from '../support/processes.ts'
import { scaled } from '../support/scaled.ts'
import { slowness } from '../support/slowness.ts'
import { until } from '../support/until.ts'
import { interrupt, newPerson, type Person, says } from './person.ts'

const edits = Number(process.env.EDITS || 100)
const seconds = (began: number) => (performance.now() - began) / 1000

let person: Person
let clone: string
let stack: Run | undefined

beforeAll(async () => {
  person = await newPerson()
})
afterAll(async () => {
  if (stack) await interrupt(stack)
  person.leave()
})

const readyz = async () => (await fetch(`${person.base}/readyz`)).status

/** Writes a file with data that a person may want to load. Returns its path. */
function ownData(): string {
  const file = join(person.folder, 'boats.csv')
  writeFileSync(file, 'id,name\n1,Gull\n')
  return file
}

describe('the first record', () => {
  it('is stored within 2 minutes and 4 commands: git clone, cd, npm start, npm run load', async () => {
    const data = ownData()
    const began = performance.now()
    clone = person.clone('first')
    stack = person.npm(clone, 'start')
    await says(stack, 'Installed in')
    const installed = seconds(began)
    await says(stack, 'Tessera runs at')
    const runs = seconds(began)
    const load = person.npm(
      clone,
      'run',
      'load',
      '--',
      data,
      '--app',
      'harbour',
      '--yes',
      '--url',
      person.base,
    )
    expect([await load.exited, load.output()]).toEqual([0, expect.stringContaining('Loaded 1 row')])
    const took = seconds(began)
    person.note(
      `clone to first own record, empty npm cache: ${took.toFixed(1)} s ` +
        `(installed after ${installed.toFixed(1)} s, runs after ${runs.toFixed(1)} s)`,
    )
    const client = await signIn(person.base, 'admin@example.com', 'Admin-demo-1')
    expect(await client.request('GET', '/api/apps/harbour/datatables/boats/data/')).toMatchObject({
      data: [{ name: 'Gull' }],
      total: 1,
    })
    expect(took).toBeLessThan(scaled(120))
  })

  it('is preceded by messages about the progress of the installation', () => {
    expect(stack?.output()).toMatch(/Installing the dependencies: \d+ packages[\s\S]*Installed in \d+ s\./)
  })

  it('is followed by a second clone on the machine, which installs from the cache', async () => {
    const second = person.clone('second')
    const began = performance.now()
    const installed = person.npm(second, 'ci', '--offline', '--no-audit', '--no-fund')
    expect([await installed.exited, installed.output()]).toEqual([0, expect.stringContaining('added')])
    person.note(`npm ci in a second clone, without the registry: ${seconds(began).toFixed(1)} s`)
  })
})

describe('wrangler dev beside npm start', () => {
  it(`shows ${edits} edits in a row, and builds nothing in between`, async () => {
    const port = await freePort()
    const wrangler = person.npx(clone, 'wrangler', 'dev', '--port', String(port), '--inspector-port', '0')
    try {
      await says(wrangler, 'Ready on')
      const loop = { folder: clone, base: `http://localhost:${port}` }
      expect((await fetch(`${loop.base}/readyz`)).status).toBe(200)
      const times = await edit(loop, edits)
      await checkout(loop)
      report('wrangler dev', times)
      const builds = () => wrangler.output().split('Reloading local server').length
      const before = builds()
      await new Promise((later) => setTimeout(later, 5_000))
      expect(builds()).toBe(before)
      expect(percentile(times, 0.95)).toBeLessThan(reloadMsMax())
    } finally {
      await interrupt(wrangler)
    }
  })
})

describe('npm run dev', () => {
  it(`shows ${edits} edits in a row, also after a syntax error and a killed esbuild`, async () => {
    await interrupt(stack as Run)
    const dev = person.npm(clone, 'run', 'dev')
    try {
      await says(dev, 'Tessera runs at')
      const loop = { folder: clone, base: person.base }
      const times = await edit(loop, edits)
      breakSource(loop)
      await says(dev, /Expected identifier[\s\S]*Not reloaded: what ran before goes on\./)
      expect(await readyz()).toBe(200)
      const bundlers = treeOf(dev.process.pid as number).filter(({ pid }) =>
        /esbuild --service/.test(commandOf(pid)),
      )
      expect(bundlers).toHaveLength(1)
      for (const { pid } of bundlers) process.kill(pid, 'SIGKILL')
      await checkout(loop)
      report('npm run dev', times)
      expect(percentile(times, 0.95)).toBeLessThan(reloadMsMax())
    } finally {
      await interrupt(dev)
    }
  })
})

/**
 * The time limit for a reload under the present load of the machine, not the load at the start of the tests.
 */
const reloadMsMax = () => 2_000 * slowness()

function report(what: string, times: readonly number[]): void {
  const [p50, p95, max] = [0.5, 0.95, 1].map((share) => percentile(times, share))
  person.note(`${what}, ${times.length} edits until live: p50 ${p50} ms, p95 ${p95} ms, max ${max} ms`)
}

describe('kill -9 and then npm start', () => {
  const start = async () => {
    stack = person.npm(clone, 'start')
    await says(stack, 'Tessera runs at')
    return stack
  }
  const greeted = async () => (stack?.process.exitCode === null ? (stack as Run) : await start())
  const ofCommand = (pattern: RegExp) =>
    treeOf(stack?.process.pid as number).filter(({ pid }) => pattern.test(commandOf(pid)))

  it.each([
    ['npm', /^npm start/],
    ['the shell of npm', /^sh -c /],
    ['dev/run.mjs', /^\S*node dev\/run\.mjs/],
    ['dev/start.ts', /dev\/start\.ts/],
  ])('of %s ends everything, and the next start works', async (_what, pattern) => {
    await greeted()
    const tree = treeOf(stack?.process.pid as number)
    for (const { pid } of ofCommand(pattern).slice(0, 1)) process.kill(pid, 'SIGKILL')
    await until(
      () => survivorsOf(tree).length === 0,
      () => `no process left: ${JSON.stringify(survivorsOf(tree))}`,
      scaled(10_000),
    )
    await start()
    expect(await readyz()).toBe(200)
  })

  it.each([
    ['the keeper', /keeper-process/],
    ['Postgres', /bin\/postgres/],
    ['workerd', /bin\/workerd/],
  ])('of %s is repaired by the stack itself', async (_what, pattern) => {
    await greeted()
    const [found] = ofCommand(pattern)
    process.kill(found?.pid as number, 'SIGKILL')
    await until(
      async () => (await readyz()) === 200,
      () => `/readyz\n${stack?.output().slice(-2000)}`,
      scaled(60_000),
    )
    expect(stack?.process.exitCode).toBe(null)
  })

  it('of all processes that could clean up: the next start cleans up, and names the processes that it ended', async () => {
    await greeted()
    const tree = treeOf(stack?.process.pid as number)
    const ours = tree.filter(({ pid }) =>
      /^npm|^sh -c|dev\/(run|start|keeper-process)\./.test(commandOf(pid)),
    )
    for (const { pid } of ours) process.kill(pid, 'SIGKILL')
    const next = await start()
    expect(next.output()).toMatch(/Ended what an earlier npm start has left behind: /)
    expect(survivorsOf(tree)).toEqual([])
    expect(await readyz()).toBe(200)
  })

  it('a second npm start says which process has the data, and ends', async () => {
    const second = person.npm(clone, 'start')
    expect(await second.exited).toBe(1)
    expect(second.output()).toMatch(/is in use by npm start \(pid \d+\) at http:\/\/127\.0\.0\.1:\d+\./)
  })
})
