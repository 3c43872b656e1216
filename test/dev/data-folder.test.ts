/** A data folder belongs to one stack at a time, and processes that a killed stack has left are ended. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { endLeftovers, holderOf, holdFolder } from '../../dev/data-folder.ts'
import type { Child } from '../../dev/end-processes.ts'
import { identityOf } from '../../dev/process-identity.ts'
import { temporaryFolder } from '../../dev/temporary-folder.ts'

let folder: string
let file: string
const started: ChildProcess[] = []

beforeEach(() => {
  folder = temporaryFolder('data')
  file = join(folder, 'running.json')
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
  vi.restoreAllMocks()
})

/** Starts a process that does nothing until it is ended. */
function startProcess(name: string): Child & { ended: Promise<unknown> } {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'])
  started.push(child)
  const pid = child.pid as number
  return {
    pid,
    identity: identityOf(pid) as string,
    name,
    ended: new Promise((done) => child.once('exit', done)),
  }
}

async function endedProcess() {
  const child = startProcess('start')
  process.kill(child.pid, 'SIGKILL')
  await child.ended
  return child
}

describe('a process', () => {
  it('has no identity after its end', async () => {
    const { pid, identity } = await endedProcess()
    expect([identity, identityOf(pid)]).toEqual([expect.stringMatching(/\d/), undefined])
  })

  it('has another identity than a process that was started later', async () => {
    const first = startProcess('first')
    await new Promise((later) => setTimeout(later, 1_100))
    expect(startProcess('second').identity).not.toBe(first.identity)
  })
})

describe('a data folder', () => {
  it('is refused while a stack uses it, with the command and address of that stack', async () => {
    holdFolder(folder, 'npm start', 'http://127.0.0.1:8787')
    const line = `${folder} is in use by npm start (pid ${process.pid}) at http://127.0.0.1:8787. Stop that one, or set DATA_DIR and PORT to others.`
    expect(() => holdFolder(folder, 'npm start', null)).toThrow(line)
    await expect(endLeftovers(folder)).rejects.toThrow(line)
    expect(holderOf(folder)).toMatchObject({ pid: process.pid, command: 'npm start' })
  })

  it('can be used again after it was released', () => {
    holdFolder(folder, 'npm run setup', null).release()
    expect([holderOf(folder), existsSync(file)]).toEqual([undefined, false])
    holdFolder(folder, 'npm start', null).release()
  })

  it('of a killed stack can be used again, and the processes that the stack left are ended', async () => {
    const [postgres, workerd] = [startProcess('postgres'), startProcess('workerd')]
    const gone = await endedProcess()
    const holder = { ...gone, command: 'npm start', address: null, children: [postgres, workerd, gone] }
    writeFileSync(file, JSON.stringify(holder))
    await endLeftovers(folder)
    await Promise.all([postgres.ended, workerd.ended])
    expect(console.error).toHaveBeenCalledExactlyOnceWith(
      `Ended what an earlier npm start has left behind: postgres (pid ${postgres.pid}), workerd (pid ${workerd.pid}).`,
    )
    holdFolder(folder, 'npm start', null).release()
  })

  it('causes no end of a foreign process that has the number of an ended one', async () => {
    const gone = await endedProcess()
    // The start time of a process counts hundredths of a second.
    await pause(20)
    const other = startProcess('of somebody else')
    const children = [{ pid: other.pid, identity: gone.identity, name: 'workerd' }]
    const holder = { ...gone, pid: other.pid, command: 'npm start', address: null, children }
    writeFileSync(file, JSON.stringify(holder))
    await endLeftovers(folder)
    expect([identityOf(other.pid), existsSync(file)]).toEqual([other.identity, false])
    expect(console.error).not.toHaveBeenCalled()
  })

  it('can be used after a power failure during a write of its file', async () => {
    writeFileSync(file, '')
    const before = new Date(Date.now() - 60_000)
    utimesSync(file, before, before)
    await endLeftovers(folder)
    holdFolder(folder, 'npm start', null).release()
  })

  it('lists the processes of its stack', () => {
    const hold = holdFolder(folder, 'npm start', null)
    const child = { pid: 1, identity: 'x', name: 'workerd' }
    hold.note([child])
    expect(JSON.parse(readFileSync(file, 'utf8')).children).toEqual([child])
    hold.release()
    hold.note([])
    expect(existsSync(file)).toBe(false)
  })
})
