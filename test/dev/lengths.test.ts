/**
 * A test file has a long form only if its name or its imports say so, and no other file reads the length of
 * the suite.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { hasLongForm } from '../support/has-long-form.ts'

const root = join(import.meta.dirname, '..', '..')
const files = globSync('test/**/*.ts', { cwd: root, exclude: ['test/clients/**'] })
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

it('only support/runs.ts reads the length of the suite', () => {
  const asks = files.filter((file) => /inject\(['"]length['"]\)/.test(textOf(file)))
  expect(asks.map((file) => file.replaceAll('\\', '/'))).toEqual(['test/support/runs.ts'])
})

it('no file of support has a long form, because the tests that use it would not be found', () => {
  const support = files.filter((file) => /support[\\/]/.test(file) && /runs\.ts'/.test(textOf(file)))
  expect(support).toEqual([])
})

it('a test file has a long form exactly if it is named so or calls runs', () => {
  const tests = files.filter((file) => file.endsWith('.test.ts'))
  const found = tests.filter((file) => hasLongForm(join(root, file)))
  const wanted = tests.filter((file) => file.endsWith('.long.test.ts') || /\bruns\(\d/.test(textOf(file)))
  expect(found.sort()).toEqual(wanted.sort())
  expect(found.length).toBeGreaterThan(30)
})
