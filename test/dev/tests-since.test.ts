/** `npm test -- --since main`: which test files a change concerns. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testsSince } from '../../dev/tests-since.ts'
import { leftOut } from '../support/left-out.ts'

const root = join(import.meta.dirname, '..', '..')
const tests = [
  'test/architecture.test.ts',
  'test/contract.test.ts',
  'test/data/records/keys.test.ts',
  'test/data/references.test.ts',
  'test/docs/links.test.ts',
  'test/login/saml.test.ts',
  'test/organizations/sites.test.ts',
  'test/security/isolation.test.ts',
  'test/security/rank.test.ts',
  'test/unit/kernel/lib/csv.test.ts',
]
/** Without those that every change runs. */
const beside = (...paths: string[]) =>
  testsSince(paths, tests)?.filter((file) => !/unit|contract|architecture|security/.test(file))

it.each([
  ['a module that most tests run through', 'src/kernel/lib/csv.ts'],
  ['the access to the database', 'src/kernel/db/tenant.ts'],
  ['the application', 'src/app.ts'],
  ['what tests share', 'test/support/app.ts'],
  ['a table', 'migrations/0000_tables.sql'],
  ['a dependency', 'package-lock.json'],
])('a change to %s concerns all tests', (_, path) => {
  expect(testsSince([path, 'src/identity/login/saml/assertion.ts'], tests)).toBe(undefined)
})

it.each([
  ['of the deepest folder that has tests', 'src/data/records/bulk.ts', 'test/data/records/keys.test.ts'],
  [
    'of the area whose functions these are',
    'migrations/functions/sites/a.sql',
    'test/organizations/sites.test.ts',
  ],
  ['of the guides', 'docs/guide/start.md', 'test/docs/links.test.ts'],
])('another change runs the tests %s', (_, path, expected) => {
  expect(beside(path)).toEqual([expected])
})

it.each(['test/login/saml.test.ts', 'test/security/isolation.test.ts'])(
  'a test that has changed runs: %s',
  (path) => {
    expect(testsSince([path], tests)).toContain(path)
  },
)

it('npm test leaves out only files that exist', () => {
  expect(leftOut.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

it('every change runs the tests of pure modules, of the contract, of the layers and of attacks', () => {
  expect(testsSince(['docs/guide/start.md'], tests)).toEqual([
    'test/architecture.test.ts',
    'test/contract.test.ts',
    'test/docs/links.test.ts',
    'test/security/rank.test.ts',
    'test/unit/kernel/lib/csv.test.ts',
  ])
})
