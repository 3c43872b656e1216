/** Changes of files are detected, however an editor saves them. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../dev/temporary-folder.ts'
import { watchFolders } from '../../dev/watch.ts'
import { scaled } from '../support/scaled.ts'
import { until } from '../support/until.ts'

const folder = temporaryFolder('watch')
const source = join(folder, 'src')
const file = join(source, 'area', 'file.ts')

let changes = 0
let watching: { stop(): void }
beforeAll(() => {
  mkdirSync(join(source, 'area'), { recursive: true })
  writeFileSync(file, '')
  const fail = (error: Error) => {
    throw error
  }
  watching = watchFolders([source], () => changes++, fail)
})
afterAll(() => {
  watching.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Waits for late events of the previous change. */
const quiet = () => new Promise((done) => setTimeout(done, 100))

async function expectNoticed(change: () => void): Promise<void> {
  await quiet()
  const before = changes
  change()
  await until(
    () => changes > before,
    () => 'a change that is noticed',
    scaled(10_000),
  )
}

const inPlace = (path: string) => writeFileSync(path, 'in place')

/** Saves a file as `sed -i` and vim do. */
function byRenaming(path: string): void {
  writeFileSync(`${path}~`, 'by renaming')
  renameSync(`${path}~`, path)
}

/** Saves a file as `git checkout` does. */
function anew(path: string): void {
  rmSync(path)
  writeFileSync(path, 'anew')
}

describe('a change is detected', () => {
  it.each([
    ['in place', inPlace],
    ['by renaming', byRenaming],
    ['by removing the file first', anew],
  ])('in a file that is saved %s, ten times in a row', async (_how, save) => {
    for (let n = 0; n < 10; n++) await expectNoticed(() => save(file))
  })

  it('in a file that is saved in place after it was saved in other ways', () =>
    expectNoticed(() => inPlace(file)))

  it('in a file in a new folder', async () => {
    const made = join(source, 'new', 'inner')
    await expectNoticed(() => mkdirSync(made, { recursive: true }))
    await expectNoticed(() => writeFileSync(join(made, 'file.ts'), ''))
    await expectNoticed(() => inPlace(join(made, 'file.ts')))
  })

  it('in a file in a folder that was removed and created again, as by another branch', async () => {
    for (const path of [join(source, 'area'), source]) {
      await expectNoticed(() => {
        rmSync(path, { recursive: true })
        mkdirSync(join(source, 'area'), { recursive: true })
        writeFileSync(file, 'of another branch')
      })
      await expectNoticed(() => byRenaming(file))
      await expectNoticed(() => inPlace(file))
    }
  })

  it('only if something below the folders has changed', async () => {
    await quiet()
    const before = changes
    writeFileSync(join(folder, 'beside'), '')
    await quiet()
    expect(changes).toBe(before)
  })
})
