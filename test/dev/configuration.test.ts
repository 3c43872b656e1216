/** The messages of the local commands about missing or malformed variables. W7. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { freePort } from '../../dev/free-port.ts'
import { newMasterKeys } from '../../dev/master-keys.ts'
import { newSigningKeys } from '../../dev/signing-keys.ts'
import { temporaryFolder } from '../../dev/temporary-folder.ts'
import { localVariables } from '../../dev/variables.ts'
import { describeVariable, variableNames } from '../../src/kernel/env.ts'
import { runs } from '../support/runs.ts'
import { scaled } from '../support/scaled.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = temporaryFolder('test')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a command to its end. */
function run(args: string[], env: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'dev', 'run.mjs'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: '', MASTER_KEYS: '', ...env },
    timeout: scaled(120_000),
  })
  return { status, output: `${stdout}${stderr}`.trim() }
}

const ownerUrl =
  'must be the URL of a Postgres database with the role that owns it, as postgresql://user:password@host/database.'

const wrong: [name: string, value: string, line: string, others?: Record<string, string>][] = [
  ['ALLOW_PRIVATE_HOSTS', '1', 'ALLOW_PRIVATE_HOSTS must be true or false.'],
  ['RATE_LIMIT_SCALE', 'CANARY', 'RATE_LIMIT_SCALE must be a number above 0.'],
  ['SMTP_URL', 'smtp://CANARY', 'SMTP_URL must be a URL such as smtps://user:password@mail.example.com:465.'],
  ['EMAIL_FROM', 'CANARY', 'EMAIL_FROM must be an e-mail address.'],
  ['GRAPH_DEPTH_MAX', '0', 'GRAPH_DEPTH_MAX must be a whole number from 1 to 100.'],
  [
    'PUBLIC_URL',
    'https://app.example.com',
    'DOMAIN_PROOF must be on, or off if the host of PUBLIC_URL is localhost, a subdomain of localhost, 127.0.0.1 or [::1].',
    { DOMAIN_PROOF: 'off' },
  ],
  ['OWNER_DATABASE_URL', 'CANARY', `OWNER_DATABASE_URL ${ownerUrl}`],
]

describe('npm start', () => {
  // Each case is a separate process. The rules of each variable are tested below.
  it.each(wrong.slice(-runs(2, wrong.length)))(
    'exits with one line for %s=%s',
    async (name, value, line, others = {}) => {
      expect(
        run(['start'], { PORT: String(await freePort()), DATA_DIR: folder, [name]: value, ...others }),
      ).toEqual({
        status: 1,
        output: `Tessera did not start: ${line}`,
      })
    },
  )
})

describe('the Worker of npm start', async () => {
  const address = 'http://127.0.0.1:8787'
  const madeByTheStack = ['DATABASE_URL', 'SCHEMA_DATABASE_URL', 'NEON_ENDPOINT']
  const values: Partial<Record<string, string>> = {
    READ_DATABASE_URL: 'postgresql://service:password@replica.example/tessera',
    REQUEST_LOG: 'failed',
    SIGNING_KEYS: await newSigningKeys(),
    MASTER_KEYS: newMasterKeys(),
    ENVIRONMENT: 'production',
    PASSWORD_COST: '14',
    BASE_DOMAIN: 'sites.example',
    PLATFORM_HOSTS: 'a.example',
    DOMAIN_PROOF: 'on',
    SITE_KEY_STORE: 'on',
    DEFAULT_SITE: 'other',
    CORS_ORIGINS: 'https://app.example.com',
    TOKEN_ISSUER: 'issuer',
    ALLOW_PRIVATE_HOSTS: 'true',
    DNS_OVER_HTTPS: 'https://resolver.example/',
    PUBLIC_URL: 'https://app.example.com',
    EMAIL_TRANSPORT: 'smtp',
    EMAIL_FROM: 'from@example.com',
    SMTP_URL: 'smtps://mail.example.com',
    INVITATION_EXISTING_ACCOUNTS: 'verify',
    OTLP_ENDPOINT: 'https://otlp.example.com',
    OTLP_HEADERS: 'authorization=Bearer token',
    TRACE_SAMPLING: '0.5',
  }

  it('gets every variable of the environment except those of the database, which the stack sets itself', () => {
    const env = Object.fromEntries(variableNames.map((name) => [name, values[name] ?? '7']))
    const expected = Object.fromEntries(
      Object.entries(env).filter(([name]) => !madeByTheStack.includes(name)),
    )
    expect(localVariables(env, address)).toEqual(expected)
  })

  it('gets values for development where the environment has none, or an empty text', () => {
    expect(localVariables({ BASE_DOMAIN: '', CORS_ORIGINS: ' ' }, address)).toEqual({
      ENVIRONMENT: 'development',
      DEFAULT_SITE: 'demo',
      BASE_DOMAIN: 'localhost',
      PUBLIC_URL: address,
      EMAIL_TRANSPORT: 'mailbox',
      EMAIL_FROM: 'tessera@example.com',
      DOMAIN_PROOF: 'off',
      SITE_KEY_STORE: 'off',
      CORS_ORIGINS: 'http://localhost:*,https://localhost:*,http://127.0.0.1:*,https://127.0.0.1:*',
    })
    expect(localVariables({ SMTP_URL: 'smtps://mail.example.com' }, address).EMAIL_TRANSPORT).toBe('smtp')
  })

  it('requires proof of domains and allows no origins by default if the environment says that it is public', () => {
    const { DOMAIN_PROOF, SITE_KEY_STORE, CORS_ORIGINS } = localVariables(
      { PUBLIC_URL: 'https://app.example.com' },
      address,
    )
    expect([DOMAIN_PROOF, SITE_KEY_STORE, CORS_ORIGINS]).toEqual([undefined, undefined, undefined])
  })

  it('names every malformed variable with its rule and without its value', () => {
    for (const name of variableNames.filter(
      (each) => !madeByTheStack.includes(each) && each !== 'TOKEN_ISSUER',
    )) {
      expect(() => localVariables({ [name]: 'CA NARY' }, address)).toThrow(describeVariable(name, true))
    }
  })
})

describe('npm run db:migrate', () => {
  it('exits with one line if OWNER_DATABASE_URL is missing or is not the URL of a Postgres database', () => {
    expect(run(['migrate'], { DATABASE_URL: 'postgresql://a:b@127.0.0.1:9/x' })).toEqual({
      status: 1,
      output: `OWNER_DATABASE_URL is not set; it ${ownerUrl}`,
    })
    expect(run(['migrate'], { OWNER_DATABASE_URL: 'mysql://a:CANARY@localhost/x' })).toEqual({
      status: 1,
      output: `OWNER_DATABASE_URL ${ownerUrl}`,
    })
  })
})

describe('npm run keys:rotate', () => {
  const line =
    /^MASTER_KEYS (is not set; it )?must be \{"current": .*\} \(npm run keys:rotate -- --new-master-key prints it\)\.$/

  it('exits with one line, which contains no key, if MASTER_KEYS is missing or broken', () => {
    for (const [args, ring] of [
      [['--master'], ''],
      [['--master'], '{"current": "CANARY'],
      [['--all-sites'], 'CANARY'],
      [['--new-master-key'], 'CANARY'],
    ] as const) {
      const { status, output } = run(['keys', ...args], {
        OWNER_DATABASE_URL: 'postgresql://a:b@127.0.0.1:9/x',
        MASTER_KEYS: ring,
      })
      expect([args, status, output]).toEqual([args, 1, expect.stringMatching(line)])
      expect(output).not.toContain('CANARY')
    }
  })
})

describe('the keys that npm start has stored', () => {
  it('are reported with their file if they are broken', async () => {
    const data = join(folder, 'broken')
    // The files are checked before the database starts, so that nobody waits for an error.
    mkdirSync(data)
    writeFileSync(join(data, 'signing-keys.json'), '{"keys": [CANARY')
    const { status, output } = run(['start'], { PORT: String(await freePort()), DATA_DIR: data })
    expect([status, output]).toEqual([
      1,
      expect.stringMatching(
        /^Tessera did not start: .*signing-keys\.json is broken\. SIGNING_KEYS must be a JSON Web Key Set /,
      ),
    ])
    expect(output).not.toContain('CANARY')
  })
})
