/** Temporary folders of killed processes. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeAbandoned, temporaryFolder } from '../../dev/temporary-folder.ts'

let below: string
beforeEach(() => {
  below = temporaryFolder('test')
})
afterEach(() => rmSync(below, { recursive: true, force: true }))

/** Creates a folder of a process that has ended. Returns its path. */
function leftBehind(name: string): string {
  const { pid } = spawnSync(process.execPath, ['--eval', ''])
  const folder = join(below, `tessera-${name}-${pid}-aB3xY9`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'file'), '')
  return folder
}

describe('a run removes temporary folders of earlier runs', () => {
  it('but not those of running processes, nor folders with other names', () => {
    temporaryFolder('postgres', below)
    for (const name of ['tessera', 'tessera-notes', 'tessera-4000000-abcdef']) mkdirSync(join(below, name))
    const before = readdirSync(below)
    removeAbandoned(below)
    expect(readdirSync(below)).toEqual(before)
  })

  it('if their process has ended, with everything in them', () => {
    const folders = [leftBehind('postgres'), leftBehind('first-hour')]
    removeAbandoned(below)
    expect(folders.map((folder) => existsSync(folder))).toEqual([false, false])
  })
})
