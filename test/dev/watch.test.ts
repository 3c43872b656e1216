/** Changes of files are noticed, however an editor saves them. */
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

/** What came of the change before may come late. */
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

/** As `sed -i` and vim do. */
function byRenaming(path: string): void {
  writeFileSync(`${path}~`, 'by renaming')
  renameSync(`${path}~`, path)
}

/** As `git checkout` does. */
function anew(path: string): void {
  rmSync(path)
  writeFileSync(path, 'anew')
}

describe('a change is noticed', () => {
  it.each([
    ['in place', inPlace],
    ['by renaming', byRenaming],
    ['by removing the file first', anew],
  ])('of a file that is saved %s, ten times in a row', async (_how, save) => {
    for (let n = 0; n < 10; n++) await expectNoticed(() => save(file))
  })

  it('of a file in place, after it was saved in other ways', () => expectNoticed(() => inPlace(file)))

  it('of a file in a new folder', async () => {
    const made = join(source, 'new', 'inner')
    await expectNoticed(() => mkdirSync(made, { recursive: true }))
    await expectNoticed(() => writeFileSync(join(made, 'file.ts'), ''))
    await expectNoticed(() => inPlace(join(made, 'file.ts')))
  })

  it('of a file in a folder that was removed and made again, as by another branch', async () => {
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

  it('and nothing is, where nothing below the folders has changed', async () => {
    await quiet()
    const before = changes
    writeFileSync(join(folder, 'beside'), '')
    await quiet()
    expect(changes).toBe(before)
  })
})
