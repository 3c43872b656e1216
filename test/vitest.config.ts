/**
 * The suite in three projects: `unit` and `stack` in Node, `worker` in workerd with a Postgres for the run.
 */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { mongodbWorker } from '../dev/worker.ts'
import { hasLongForm } from './support/has-long-form.ts'
import { leftOut } from './support/left-out.ts'
import { wranglerVariables } from './support/no-dev-vars.ts'
import { testReporters } from './support/progress.ts'
import { seedOf } from './support/run-seed.ts'
import { slowness } from './support/slowness.ts'

const root = join(import.meta.dirname, '..')

const support = (file: string) => join(root, 'test', 'support', file)

const lengths = ['short', 'long', 'soak'] as const
/**
 * `short` by default. `long` adds tests that take too long for every day, and `soak` makes some of them even
 * longer.
 */
const length = lengths.find((each) => each === process.env.TEST_LENGTH) ?? 'short'
// This file is read several times, and the seed must be the same each time.
process.env.TEST_SEED = seedOf(length)
const seed = Number(process.env.TEST_SEED)
const provide = { length, seed, slowness: slowness() }
const limits = { testTimeout: 120_000 * provide.slowness, hookTimeout: 120_000 * provide.slowness }

/**
 * Returns the files of a project. A long run has the files that are named so, and those whose number of runs
 * depends on it.
 */
function filesOf(include: string[], exclude: string[] = []) {
  const left = process.env.LEAVE_OUT ? leftOut : []
  if (length === 'short') return { include, exclude: [...exclude, ...left, '**/*.long.test.ts'] }
  const files = globSync(include, { cwd: root, exclude })
  return { include: files.filter((file) => hasLongForm(join(root, file))), exclude: [] }
}

/** The files of test/dev, test/docs and test/cli that start nothing, and change nothing that other files see. */
const pure = [
  'test/architecture.test.ts',
  'test/docs/!(examples).test.ts',
  'test/cli/unit/**/*.test.ts',
  'test/dev/{bench,mongodb}/**/*.test.ts',
  'test/dev/loader/!(source).test.ts',
  'test/dev/{function-client,kept-bundle,lengths,portable,supply-chain,temporary-folder,tests-since}.test.ts',
]

/** The files of test/unit that measure memory, which other files of a process would change. */
const alone = ['test/unit/**/*-heap.test.ts']

export default defineConfig({
  root,
  test: {
    // One more than the minimum number of cores, because some tests wait for a deadline, a queue, or a retry.
    maxWorkers: 3,
    silent: 'passed-only',
    reporters: testReporters,
    passWithNoTests: length !== 'short',
    projects: [
      {
        // Inside workerd, with the bindings of wrangler.toml.
        plugins: [
          cloudflareTest(async ({ inject }) => ({
            wrangler: { configPath: join(root, 'wrangler.toml') },
            miniflare: {
              workers: [await mongodbWorker()],
              bindings: {
                ...(await wranglerVariables()),
                ENVIRONMENT: 'development',
                DATABASE_URL: inject<string>('serviceUrl'),
                NEON_ENDPOINT: inject<string>('neonEndpoint'),
                SIGNING_KEYS: inject<string>('signingKeys'),
                MASTER_KEYS: inject<string>('masterKeys'),
                BASE_DOMAIN: 'tessera.test',
                DNS_OVER_HTTPS: inject<string>('dnsServer'),
                // Tests send requests faster than clients. Those of the limits set this variable themselves.
                RATE_LIMIT_SCALE: '1000',
                // Tests run the schedule in hundreds of databases on one server.
                SITES_AHEAD: '0',
                // Tests hash hundreds of passwords. Those of the cost set the default.
                PASSWORD_COST: '4',
                // Tests of the use of sites store it themselves. No other request waits for that.
                USE_FLUSH_SECONDS: '0',
                // Requests wait for their turn as long as necessary on a busy machine.
                BUSY_WAIT_MS: '115000',
              },
            },
          })),
        ],
        test: {
          name: 'worker',
          root,
          globalSetup: [support('slowness-setup.ts'), support('global-setup.ts')],
          setupFiles: [support('after-file.ts'), support('held-log.ts')],
          isolate: false,
          provide,
          ...filesOf(
            ['test/**/*.test.ts'],
            [
              'test/{unit,dev,docs,cli,browser,clients,mongodb,postgres,postgrest,first-hour}/**',
              'test/architecture.test.ts',
            ],
          ),
          ...limits,
        },
      },
      {
        // In Node, with one process for each file: the local stack and its commands, and what measures memory.
        test: {
          name: 'stack',
          root,
          globalSetup: [support('slowness-setup.ts'), support('stack-setup.ts')],
          env: { NODE_EXTRA_CA_CERTS: support('certificate.pem') },
          provide,
          ...filesOf(['test/{dev,docs,cli}/**/*.test.ts', ...alone], pure),
          ...limits,
        },
      },
      {
        // In Node: modules that need neither workerd nor a database, and tests that read the sources. One
        // process for many.
        test: {
          name: 'unit',
          root,
          setupFiles: [support('real-clock.ts')],
          isolate: false,
          provide,
          ...filesOf(['test/unit/**/*.test.ts', ...pure], alone),
          ...limits,
        },
      },
    ],
  },
})
