/** A stored bundle is used again, but never after one of its files has changed. */
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keepBundle, keptBundle } from '../../dev/kept-bundle.ts'
import { temporaryFolder } from '../../dev/temporary-folder.ts'

const entry = 'src/worker.ts'
const inputs = [entry, 'src/app.ts', 'node_modules/hono/index.js']
let root: string

/** Writes a file with a time before the bundle was made. */
function write(name: string, text: string): void {
  const path = join(root, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
  utimesSync(path, 1, 1)
}

beforeEach(() => {
  root = temporaryFolder('test')
  for (const name of ['package-lock.json', 'dev/bundle.ts', entry, 'src/app.ts']) write(name, name)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const keep = (began = Date.now()) => keepBundle(root, entry, { text: 'the bundle', inputs }, began)

describe('a stored bundle', () => {
  it.each(['package-lock.json', 'dev/bundle.ts', entry, 'src/app.ts'])(
    'is not used when %s has changed',
    (name) => {
      keep()
      write(name, 'another text')
      expect(keptBundle(root, entry)).toBeUndefined()
    },
  )

  it('is not used when one of its files is missing', () => {
    keep()
    rmSync(join(root, 'src/app.ts'))
    expect(keptBundle(root, entry)).toBeUndefined()
  })

  it('is not stored if a file has changed since its build began', () => {
    keep(500)
    expect(keptBundle(root, entry)).toBeUndefined()
  })

  it('is not used for another entry', () => {
    keep()
    expect(keptBundle(root, 'dev/functions/worker.ts')).toBeUndefined()
  })

  it('is used as long as all its files have the same content, even if they are written again', () => {
    keep()
    write(entry, entry)
    expect(keptBundle(root, entry)).toBe('the bundle')
  })
})
