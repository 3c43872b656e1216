/**
 * `npm test`: runs the tests of the Worker and of pure modules, on their own Postgres; with words, only the
 * files that have one of them in their path. `npm run test:stack` runs the tests that start processes. `npm
 * run test:long` and `npm run soak` run longer tests, with `--length=long` and `--length=soak`.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { seedOf } from '../test/support/run-seed.ts'
import { keepChildren } from './keeper.ts'

const root = join(import.meta.dirname, '..')
const option = '--length='
const args = process.argv.slice(2)
const length = args.findLast((arg) => arg.startsWith(option))?.slice(option.length) ?? 'short'
const words = args.filter((arg) => !arg.startsWith(option))
/**
 * The projects of `npm test`. The tests that start processes take as long again, and have their own command.
 */
const everyDay = ['--project=worker', '--project=unit']
const rest = args.length === 0 ? everyDay : words

const seed = seedOf(length)
if (length !== 'short')
  console.log(`The seed is ${seed}. TEST_SEED=${seed} repeats the generated values of this run.`)

// Vitest and its Postgres end with this process, no matter how it ends, and also if dev/run.mjs was killed.
keepChildren()
process.on('disconnect', () => vitest.kill())

const vitest = spawn(process.execPath, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...rest], {
  stdio: 'inherit',
  cwd: root,
  // Only a run of all tests of the Worker can find responses that no test has received.
  env: { ...process.env, TEST_LENGTH: length, TEST_SEED: seed, WHOLE_SUITE: args.length === 0 ? '1' : '' },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => vitest.kill(signal))
vitest.on('exit', (code) => process.exit(code ?? 1))
