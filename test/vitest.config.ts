import { join } from 'node:path'
import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

const root = join(import.meta.dirname, '..')

export default defineConfig({
  root,
  test: {
    globalSetup: join(root, 'test', 'support', 'global-setup.ts'),
    // One more than the cores that there are at least: some tests wait, for a deadline, a queue, a retry.
    maxWorkers: 3,
    silent: 'passed-only',
    projects: [
      {
        // Inside workerd, with the bindings of wrangler.toml.
        plugins: [
          cloudflareTest(async ({ inject }) => ({
            wrangler: { configPath: join(root, 'wrangler.toml') },
            miniflare: {
              bindings: {
                ENVIRONMENT: 'development',
                DATABASE_URL: inject<string>('serviceUrl'),
                NEON_ENDPOINT: inject<string>('neonEndpoint'),
                SIGNING_KEYS: inject<string>('signingKeys'),
                MASTER_KEYS: inject<string>('masterKeys'),
                BASE_DOMAIN: 'tessera.test',
                DNS_OVER_HTTPS: inject<string>('dnsServer'),
                // Tests are in more of a hurry than clients; those of the limits set it themselves.
                RATE_LIMIT_SCALE: '1000',
                // And in less of one: what waits its turn gets it, however busy the machine is.
                BUSY_WAIT_MS: '115000',
              },
            },
          })),
        ],
        test: {
          name: 'worker',
          root,
          include: ['test/**/*.test.ts'],
          exclude: ['test/dev/**', 'test/docs/**', 'test/browser/**', 'test/clients/**', 'test/architecture.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        // In Node: the local stack, the loader, and what reads the sources.
        test: {
          name: 'stack',
          root,
          env: { NODE_EXTRA_CA_CERTS: join(root, 'test', 'support', 'certificate.pem') },
          include: ['test/dev/**/*.test.ts', 'test/docs/**/*.test.ts', 'test/architecture.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
