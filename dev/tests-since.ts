/**
 * The test files that a change concerns, for `npm test -- --since main`. A change to what most tests use
 * concerns all tests of every day.
 */
import { execFileSync } from 'node:child_process'
import { leftOut } from '../test/support/left-out.ts'

/** Returns the paths that differ from where this branch has left `ref`, also those that are not committed. */
export function pathsSince(root: string, ref: string): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const [base = ref] = git('merge-base', ref, 'HEAD')
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]
}

/** The folders of tests for folders of sources, where their names differ. The first row that fits counts. */
const places: readonly [source: string, ...tests: string[]][] = [
  ['src/operation/console/', 'test/unit/operation/console/', 'test/home'],
  ['src/jobs', 'test/jobs', 'test/events/'],
  ['src/operation/questions/', 'test/questions/'],
  ['migrations/functions/accounts/', 'test/accounts/', 'test/login/', 'test/access/'],
  ['migrations/functions/addresses/', 'test/accounts/', 'test/invitations/'],
  ['migrations/functions/events/', 'test/events/', 'test/functions/'],
  ['migrations/functions/factors/', 'test/accounts/', 'test/login/'],
  ['migrations/functions/invitations/', 'test/invitations/', 'test/accounts/'],
  ['migrations/functions/letters/', 'test/accounts/', 'test/invitations/'],
  ['migrations/functions/scim/', 'test/scim/'],
  ['migrations/functions/secrets/', 'test/secrets/'],
  ['migrations/functions/sign_in/', 'test/login/', 'test/accounts/'],
  ['migrations/functions/sites/', 'test/organizations/'],
  ['migrations/functions/transfers/', 'test/transfers/'],
  ['migrations/functions/use/', 'test/organizations/'],
  ['client/', 'test/client/'],
  ['cli/', 'test/cli/unit/'],
  ['console/', 'test/unit/operation/console/'],
  ['docs/', 'test/docs/'],
  ['CHANGELOG.md', 'test/docs/'],
  ['dev/loader/', 'test/dev/loader/'],
  ['bench/', 'test/dev/bench/'],
]

/** What every change runs, without what `npm test` leaves out. Unit tests take seconds. */
const always = ['test/unit/', 'test/contract', 'test/architecture', 'test/security/']

const wing = /^(kernel|identity|runtime|operation)\//

/** Sources that most tests run through. */
const common = /^src\/(kernel\/(db|http|lib|cache|[^/]+\.ts$)|[^/]+\.ts$)/

/**
 * Returns the files of `tests` that changes to `paths` concern: those that have changed themselves, all of
 * the areas that have changed, and some of the others. Undefined: those of every day.
 */
export function testsSince(paths: readonly string[], tests: readonly string[]): string[] | undefined {
  const wanted = new Set<string>()
  for (const path of paths) {
    if (common.test(path)) return undefined
    const found = path.endsWith('.test.ts') ? [path] : placesOf(path, tests)
    if (found.length === 0) return undefined
    for (const place of found) wanted.add(place)
  }
  const isIn = (file: string, all: readonly string[]) => all.some((place) => file.startsWith(place))
  return tests.filter((file) => isIn(file, [...wanted]) || (isIn(file, always) && !leftOut.includes(file)))
}

function placesOf(path: string, tests: readonly string[]): readonly string[] {
  const row = places.find(([source]) => path.startsWith(source))
  if (row) return row.slice(1)
  if (!path.startsWith('src/')) return []
  // The deepest folder that has tests: src/data/records/ has those in test/data/records/.
  // Unit tests have the same wings as the sources, the others have none.
  const folders = path.split('/').slice(1, -1)
  for (let depth = folders.length; depth > 0; depth--) {
    const folder = `${folders.slice(0, depth).join('/')}/`
    const of = [`test/${folder.replace(wing, '')}`, `test/unit/${folder}`]
    if (tests.some((file) => of.some((place) => file.startsWith(place)))) return of
  }
  return []
}
