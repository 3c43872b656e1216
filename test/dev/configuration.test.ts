/** What the commands of the local stack say of a variable that is missing or malformed; and that README.md knows each variable. W7. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { freePort } from '../../dev/postgres.ts'
import { variableNames } from '../../src/env.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'tessera-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a command to its end. */
function run(args: string[], env: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'dev', 'run.mjs'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: '', MASTER_KEYS: '', ...env },
    timeout: 60_000,
  })
  return { status, output: `${stdout}${stderr}`.trim() }
}

const ownerUrl = 'must be the URL of a Postgres database with the role that owns it, as postgresql://user:password@host/database.'

describe('npm start', () => {
  it.each([
    ['ALLOW_PRIVATE_HOSTS', '1', 'ALLOW_PRIVATE_HOSTS must be true or false.'],
    ['RATE_LIMIT_SCALE', 'CANARY', 'RATE_LIMIT_SCALE must be a number above 0.'],
    ['SMTP_URL', 'smtp://CANARY', 'SMTP_URL must be a URL as smtps://user:password@mail.example.com:465.'],
    ['EMAIL_FROM', 'CANARY', 'EMAIL_FROM must be an e-mail address.'],
    ['OWNER_DATABASE_URL', 'CANARY', `OWNER_DATABASE_URL ${ownerUrl}`],
  ])('ends with one line for %s=%s', async (name, value, line) => {
    expect(run(['start'], { PORT: String(await freePort()), DATA_DIR: folder, [name]: value })).toEqual({
      status: 1,
      output: `Tessera did not start: ${line}`,
    })
  })
})

describe('npm run db:migrate', () => {
  it('ends with one line if OWNER_DATABASE_URL is missing or is not the URL of a Postgres database', () => {
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
  const line = /^MASTER_KEYS (is not set; it )?must be a ring of keys as npm run keys:rotate -- --new-master-key prints it: .*\.$/

  it('ends with one line, which quotes no key, where MASTER_KEYS is missing or broken', () => {
    for (const [args, ring] of [
      [['--master'], ''],
      [['--master'], '{"current": "CANARY'],
      [['--all-sites'], 'CANARY'],
      [['--new-master-key'], 'CANARY'],
    ] as const) {
      const { status, output } = run(['keys', ...args], { OWNER_DATABASE_URL: 'postgresql://a:b@127.0.0.1:9/x', MASTER_KEYS: ring })
      expect([args, status, output]).toEqual([args, 1, expect.stringMatching(line)])
      expect(output).not.toContain('CANARY')
    }
  })
})

describe('the keys that npm start has kept', () => {
  it('are named with their file where they are broken', async () => {
    const data = join(folder, 'broken')
    // Whatever is found before the database is started costs nobody a wait: the files are looked at first.
    mkdirSync(data)
    writeFileSync(join(data, 'signing-keys.json'), '{"keys": [CANARY')
    const { status, output } = run(['start'], { PORT: String(await freePort()), DATA_DIR: data })
    expect([status, output]).toEqual([
      1,
      expect.stringMatching(/^Tessera did not start: .*signing-keys\.json is broken\. SIGNING_KEYS must be a JSON Web Key Set /),
    ])
    expect(output).not.toContain('CANARY')
  })
})

describe('README.md', () => {
  it('has a row for each variable', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const rows = readme.split('\n').filter((row) => row.startsWith('| `'))
    expect(variableNames.filter((name) => !rows.some((row) => row.split('|')[1]?.includes(`\`${name}\``)))).toEqual([])
  })
})
