/** The progress of an installation, and the check if one is needed. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isComplete, progressLine } from '../../dev/install.mjs'
import { temporaryFolder } from '../../dev/temporary-folder.ts'

const folder = temporaryFolder('install')
mkdirSync(join(folder, 'node_modules'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const lock = (packages: object) => JSON.stringify({ packages: { '': { name: 'x' }, ...packages } })
const list = (packages: object) =>
  writeFileSync(join(folder, 'node_modules', '.package-lock.json'), lock(packages))

describe('dependencies', () => {
  const wanted = {
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b-windows': { version: '1.0.0', optional: true },
  }

  it('are missing if npm has never finished', () => {
    writeFileSync(join(folder, 'package-lock.json'), lock(wanted))
    expect(isComplete(folder)).toBe(false)
  })

  it.each([
    ['one does not exist', {}],
    ['one has another version', { 'node_modules/a': { version: '0.9.0' } }],
    ['an optional one has another version', { ...wanted, 'node_modules/b-windows': { version: '0.9.0' } }],
  ])('are missing if %s', (_what, there) => {
    list(there)
    expect(isComplete(folder)).toBe(false)
  })

  it('are complete without those for other systems, however they were installed', () => {
    list({ 'node_modules/a': { version: '1.0.0' }, 'node_modules/other': { version: '3.0.0' } })
    expect(isComplete(folder)).toBe(true)
  })
})

describe('the progress of an installation', () => {
  it.each([
    [['node_modules/a', 'node_modules/b', 'node_modules/c', 'node_modules/d'], '  6 of 10 packages, 3 s'],
    [
      ['node_modules/a/node_modules/b', 'node_modules/@c/d'],
      '  8 of 10 packages, 3 s; still to come: b, @c/d',
    ],
    [[], '  10 of 10 packages, 3 s; their install scripts run'],
  ])('with %j missing is "%s"', (missing, line) => expect(progressLine(10, missing, 3)).toBe(line))
})
