/**
 * `npm test`: runs the tests of the Worker and of pure modules, on their own Postgres, without those that
 * test/support/left-out.ts leaves to `npm run test:all`. With words, only the files that have one of them in
 * their path; with `--since main`, only those that the changes since then concern. `npm run test:stack` runs
 * the tests that start processes. `npm run test:long` and `npm run soak` run longer tests, with
 * `--length=long` and `--length=soak`.
 */
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { seedOf } from '../test/support/run-seed.ts'
import { keepChildren } from './keeper.ts'
import { pathsSince, testsSince } from './tests-since.ts'

const root = join(import.meta.dirname, '..')
const args = process.argv.slice(2)

/** Takes an option of this command out of the arguments. Returns its value; undefined without it. */
function take(name: string, hasValue: boolean): string | undefined {
  const at = args.findIndex((arg) => arg === name || (hasValue && arg.startsWith(`${name}=`)))
  if (at === -1) return undefined
  const [arg = ''] = args.splice(at, 1)
  if (arg !== name) return arg.slice(name.length + 1)
  return hasValue ? args.splice(at, 1)[0] : ''
}

const length = take('--length', true) ?? 'short'
const since = take('--since', true)
const isAll = take('--all', false) !== undefined
/** The projects of `npm test`. The tests that start processes take as long, and have their own command. */
const everyDay = ['--project=worker', '--project=unit']

const concerned =
  since === undefined
    ? undefined
    : testsSince(
        pathsSince(root, since),
        globSync('test/**/*.test.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/')),
      )
const isWhole = length === 'short' && args.length === 0 && concerned === undefined
const rest = isWhole ? everyDay : [...(concerned ?? []), ...args]

const seed = seedOf(length)
if (length !== 'short')
  console.log(`The seed is ${seed}. TEST_SEED=${seed} repeats the generated values of this run.`)

// Vitest and its Postgres end with this process, no matter how it ends, and also if dev/run.mjs was killed.
keepChildren()
process.on('disconnect', () => vitest.kill())

const vitest = spawn(process.execPath, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...rest], {
  stdio: 'inherit',
  cwd: root,
  env: {
    ...process.env,
    TEST_LENGTH: length,
    TEST_SEED: seed,
    // Only a run of all tests of the Worker can find responses that no test has received.
    WHOLE_SUITE: isWhole && isAll ? '1' : '',
    LEAVE_OUT: isWhole && !isAll ? '1' : '',
  },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => vitest.kill(signal))
vitest.on('exit', (code) => process.exit(code ?? 1))
