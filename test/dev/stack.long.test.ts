/** `npm start` after an interrupted start. */
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { freePort } from '../../dev/free-port.ts'
import { temporaryFolder } from '../../dev/temporary-folder.ts'
import { commandOf, type Run, run, survivorsOf, treeOf } from '../support/processes.ts'
import { until } from '../support/until.ts'

const folder = temporaryFolder('test')
// As root, Postgres runs as another user, who needs access to its files.
chmodSync(folder, 0o711)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('npm start', () => {
  it('works after a first start that was killed while it created the database', async () => {
    const variables = { PORT: String(await freePort()), DATA_DIR: join(folder, 'interrupted') }
    const first = run(['start'], variables)
    const inTree = (name: string) => treeOf(first.process.pid as number).find((info) => info.name === name)
    await until(
      async () => inTree('initdb') !== undefined,
      () => `initdb\n${first.output()}`,
    )
    const tree = treeOf(first.process.pid as number)
    process.kill(-(first.process.pid as number), 'SIGKILL')
    await until(
      async () => survivorsOf(tree).length === 0,
      () => `no process left: ${JSON.stringify(survivorsOf(tree))}`,
    )
    const second = run(['start'], variables)
    try {
      await until(
        async () => second.output().includes('Try it:'),
        () => `the greeting\n${second.output()}`,
      )
    } finally {
      process.kill(-(second.process.pid as number), 'SIGTERM')
      expect(await second.exited).toBe(0)
    }
  })

  it('ends the remaining processes of a killed stack, and says so', async () => {
    const variables = { PORT: String(await freePort()), DATA_DIR: join(folder, 'killed') }
    const greeted = (stack: Run) =>
      until(
        async () => stack.output().includes('Try it:'),
        () => `the greeting\n${stack.output()}`,
      )
    const first = run(['start'], variables)
    await greeted(first)
    const tree = treeOf(first.process.pid as number)
    const killed = tree.filter(({ pid }) => /dev\/(run|start|keeper-process)\./.test(commandOf(pid)))
    for (const { pid } of killed) process.kill(pid, 'SIGKILL')
    expect(killed).toHaveLength(3)
    expect(survivorsOf(tree).map(({ name }) => name)).toEqual(expect.arrayContaining(['postgres', 'workerd']))

    const second = run(['start'], variables)
    try {
      await greeted(second)
      expect(second.output()).toMatch(
        /^Ended what an earlier npm start has left behind: .*\b(postgres|workerd) \(pid \d+\)/,
      )
      expect(survivorsOf(tree)).toEqual([])
    } finally {
      process.kill(second.process.pid as number, 'SIGTERM')
      expect(await second.exited).toBe(0)
    }
  })
})
