/**
 * `npm run deploy` and `npm run admin`, with a real Postgres and a running Worker. wrangler needs an account,
 * so a program that records its calls replaces it.
 */
import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import {
  administratorEmail,
  createSuperuser,
  listSuperusers,
  renewLink,
  serviceAddress,
} from '../../dev/admin-links.ts'
import { useDatabase } from '../../dev/database.ts'
import { checkDatabase } from '../../dev/deploy/database.ts'
import { readEnvironment } from '../../dev/deploy/environment.ts'
import { environmentNames } from '../../dev/deploy/environment-names.ts'
import { runSteps } from '../../dev/deploy/run-steps.ts'
import { smokeTest } from '../../dev/deploy/smoke-test.ts'
import { deploySteps, type Plan, rollbackSteps } from '../../dev/deploy/steps.ts'
import { wranglerOf } from '../../dev/deploy/wrangler.ts'
import { ensureSuperuser } from '../../dev/superuser.ts'
import { demoPassword } from '../../src/kernel/access/demo-password.ts'
import { type DeployedService, startDeployedService } from '../support/deployed-service.ts'
import { statementsOf } from '../support/runbooks.ts'

const root = join(import.meta.dirname, '..', '..')
const publicUrl = 'https://app.tidewater.io'

let service: DeployedService

beforeAll(async () => {
  service = await startDeployedService(publicUrl)
})

afterAll(() => service?.stop())

const plan = (own: Partial<Plan> = {}, name = 'production'): Plan => ({
  environment: readEnvironment(name, [`PUBLIC_URL:${publicUrl}`]),
  env: service.operator(),
  wrangler: wranglerOf({ ...service.operator(), ...own.env }),
  url: service.origin,
  waitMs: 20_000,
  to: undefined,
  ...own,
})

/** Runs the steps. Returns the lines that they print. */
async function run(stepsOf: typeof deploySteps, own: Partial<Plan> = {}, name?: string): Promise<string[]> {
  const lines: string[] = []
  await runSteps(stepsOf(plan(own, name)), { isDryRun: false, print: (line) => lines.push(line) })
  return lines
}

const runningVersion = async () =>
  ((await (await fetch(`${service.origin}/readyz`)).json()) as { version: string }).version

const stopped = 'Stopped. Completed steps stay. Remove the cause, then repeat the command.'

describe('npm run deploy', () => {
  it('refuses a missing environment, an unknown one, and a --var that is a secret or not a variable', () => {
    expect(() => readEnvironment(undefined, [])).toThrow(
      '--env is missing; it has to be staging or production.',
    )
    expect(() => readEnvironment('live', [])).toThrow('--env is live; it has to be staging or production.')
    expect(() => readEnvironment('staging', ['MASTER_KEYS:CANARY'])).toThrow(
      '--var MASTER_KEYS is refused: it is a secret. Set it in the environment of the command.',
    )
    expect(() => readEnvironment('staging', ['PUBLIC_URI:x'])).toThrow(
      '--var has to be NAME:value, with the name of a variable of the Worker.',
    )
  })

  it('reports every problem of the variables at once, before it calls anything', async () => {
    const env = { ...service.operator(), OWNER_DATABASE_URL: '', SIGNING_KEYS: 'CANARY' }
    const environment = readEnvironment('production', [
      'PUBLIC_URL:http://localhost:8787',
      'EMAIL_TRANSPORT:mailbox',
      'ENVIRONMENT:development',
      'GRAPH_DEPTH_MAX:0',
    ])
    await expect(run(deploySteps, { env, environment })).rejects.toThrow(
      [
        'SIGNING_KEYS must be a JSON Web Key Set of ES256 keys, each with a kid, of which the first is private (npm run db:migrate -- --new-signing-keys prints one).',
        'GRAPH_DEPTH_MAX must be a whole number from 1 to 100.',
        'ENVIRONMENT of production must be production. Its present value is for local use.',
        'EMAIL_TRANSPORT of production must be cloudflare or smtp. Its present value is for local use.',
        'PUBLIC_URL of production must be an https URL that others reach. Its present value is for local use.',
        'OWNER_DATABASE_URL is not set; it must be the URL of a Postgres database with the role that owns it, as postgresql://user:password@host/database.',
        stopped,
      ].join('\n'),
    )
    expect(service.calls()).toEqual([])
  })

  it('is refused if wrangler is not signed in', async () => {
    writeFileSync(service.account, '{"isSignedIn":false,"secrets":{},"queues":[],"versions":[]}')
    await expect(run(deploySteps)).rejects.toThrow(
      'wrangler is not signed in. Set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID, or run npx wrangler login.',
    )
    expect(service.calls()).toEqual(['whoami --json'])
    rmSync(service.account)
  })

  it('is refused if a secret of the Worker is missing both at Cloudflare and in the environment', async () => {
    const env = { ...service.operator(), MASTER_KEYS: '' }
    await expect(run(deploySteps, { env })).rejects.toThrow(
      'tessera-production lacks MASTER_KEYS. Set them in the environment of this command, or by npx wrangler secret put <name> --env production.',
    )
    expect(service.calls()).toEqual(['whoami --json', 'secret list --env production --format json'])
  })

  it('prints each step with its calls in a dry run, and calls nothing', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(root, 'dev', 'run.mjs'), 'deploy', '--env', 'production', '--dry-run'],
      { env: service.operator() },
    )
    expect(stdout).toContain('1/10 Check the variables\n')
    expect(stdout).toContain('    wrangler queues create tessera-production-jobs, if there is none\n')
    expect(stdout).toContain(
      '    wrangler deploy --env production (with --secrets-file <file> for new secrets)\n',
    )
    expect(stdout).toMatch(/Nothing was called: this was a dry run\.\n$/)
    expect(service.calls()).toEqual([])
    expect(await service.query(`select to_regclass('public.users') as users`)).toEqual([{ users: null }])
  })

  it('creates queues, migrates, uploads with new secrets, and tests the running version', async () => {
    const lines = await run(deploySteps)
    expect(lines).toEqual([
      '1/10 Check the variables',
      `    tessera-production at ${publicUrl}`,
      '2/10 Check the account at Cloudflare',
      '    signed in',
      '3/10 Check the secrets',
      '    DATABASE_URL, SCHEMA_DATABASE_URL, SIGNING_KEYS, MASTER_KEYS will be set',
      '4/10 Create the queues that are missing',
      '    created tessera-production-jobs, tessera-production-events, tessera-production-dead-jobs',
      '5/10 Check the database',
      '    it is that of production; this is number 1',
      '6/10 Build the console',
      expect.stringMatching(/^ {4}built( already)?$/),
      '7/10 Migrate the database',
      expect.stringMatching(/^ {4}\d+ migrations were run$/),
      '8/10 Upload the Worker of MongoDB',
      '    uploaded',
      '9/10 Upload the Worker',
      `    version ${await runningVersion()}`,
      '10/10 Smoke test',
      '    every answer is right',
    ])
    expect(service.calls()).toEqual([
      'whoami --json',
      'secret list --env production --format json',
      ...['jobs', 'events', 'dead-jobs'].flatMap((queue) => [
        `queues info tessera-production-${queue}`,
        `queues create tessera-production-${queue}`,
      ]),
      'deploy --config mongodb/wrangler.toml --env production',
      `deploy --env production --var PUBLIC_URL:${publicUrl} --secrets-file <file>`,
    ])
  })

  it('repeats no finished step: the second time, it only uploads', async () => {
    const lines = await run(deploySteps)
    expect(lines).toContain('    all are set')
    expect(lines).toContain('    all are there')
    expect(lines).toContain('    0 migrations were run')
    expect(service.calls().filter((call) => /create|secrets-file/.test(call))).toEqual([])
    expect(
      await service.query('select environment, kind, worker_version from public.deployments order by id'),
    ).toEqual([
      { environment: 'production', kind: 'deploy', worker_version: await runningVersion() },
      { environment: 'production', kind: 'deploy', worker_version: await runningVersion() },
    ])
  })

  it('is refused with the database of another environment', async () => {
    await expect(run(deploySteps, {}, 'staging')).rejects.toThrow(
      'The database at OWNER_DATABASE_URL is that of production, not of staging.',
    )
  })

  it('waits for the uploaded version, and reports the version that still answers', async () => {
    const env = { ...service.operator(), WRANGLER_WORKER: '' }
    await expect(run(deploySteps, { env, waitMs: 1 })).rejects.toThrow(
      `/readyz: version ${await runningVersion()} still answers`,
    )
  })

  it('explains the rollback if the new version answers wrongly', async () => {
    await expect(run(deploySteps, { url: 'http://127.0.0.1:9', waitMs: 1 })).rejects.toThrow(
      /^http:\/\/127\.0\.0\.1:9\/healthz: nothing answers .*\nThe new version gives wrong answers\. This returns to the previous version: npm run deploy -- rollback --env production$/,
    )
  })

  it('can roll back to the previous or a named version with one command', async () => {
    service.calls()
    const lines = await run(rollbackSteps)
    expect(lines.slice(-4)).toEqual([
      '4/5 Roll back to the version before',
      '    the version before',
      '5/5 Smoke test',
      '    every answer is right',
    ])
    await run(rollbackSteps, { to: 'version-1', waitMs: 1 }).catch(() => undefined)
    expect(service.calls().filter((call) => call.startsWith('rollback'))).toEqual([
      'rollback --env production --message npm run deploy -- rollback --yes',
      'rollback version-1 --env production --message npm run deploy -- rollback --yes',
    ])
  })
})

describe('the credentials of the demo', () => {
  it('cannot get into a deployed database, because the local stack refuses it', async () => {
    await expect(useDatabase(service.urls.owner, service.folder)).rejects.toThrow(
      'the database at OWNER_DATABASE_URL is that of production. The local stack makes a demo with a known password; use another database.',
    )
  })

  it('are refused as a new password in production', async () => {
    const [path = ''] =
      (await createSuperuser(service.urls.owner, 'ines@tidewater.io')).match(/token=.*$/) ?? []
    const answer = await fetch(`${service.origin}/api/auth/password/reset/confirm/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: path.replace('token=', ''), password: demoPassword }),
    })
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { password: ["This is the demo's password, which is publicly known."] },
    ])
  })

  it('stop a deployment if an account of the database has them', async () => {
    await ensureSuperuser(service.urls.owner, 'admin@example.com', demoPassword)
    await expect(run(deploySteps)).rejects.toThrow(
      'The account admin@example.com has the password of the demo, which everybody knows. Delete the account, or use another database.',
    )
    // The smoke test also finds a service that accepts them.
    await expect(smokeTest(service.origin, undefined, 1)).rejects.toThrow(
      '/api/auth/jwt/token/: it answered 200 to the password of the demo',
    )
    await service.query(`delete from users where email = 'admin@example.com'`)
    await checkDatabase(service.urls.owner, 'production')
  })
})

describe('npm run admin', () => {
  const admin = async (...args: string[]) =>
    promisify(execFile)(process.execPath, [join(root, 'dev', 'run.mjs'), 'admin', ...args], {
      env: service.operator(),
    })

  it('creates no account for an address of the demo, and no link without the address of the service', () => {
    for (const email of ['admin@example.com', 'Admin@Demo.Example.com', 'root@localhost.localhost'])
      expect(() => administratorEmail(email)).toThrow(
        `${email} is an address of the demo or of nobody. Use one that receives e-mail.`,
      )
    expect(() => administratorEmail('root')).toThrow('root is not an e-mail address.')
    for (const address of [undefined, 'app.tidewater.io', 'http://app.tidewater.io'])
      expect(() => serviceAddress(address)).toThrow(
        '--url must be the https address of the service, or --env an environment with a PUBLIC_URL.',
      )
  })

  it('creates a superuser without a password, who sets one once with the link', async () => {
    const { stdout } = await admin('create', 'root@tidewater.io', '--url', publicUrl)
    const [, token = ''] =
      /^https:\/\/app\.tidewater\.io\/accounts\/password\/reset\/confirm\/\?token=([\w-]{32})\n$/.exec(
        stdout,
      ) as RegExpExecArray
    const set = (password: string) =>
      fetch(`${service.origin}/api/auth/password/reset/confirm/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token, password }),
      })
    expect((await set('Four-harbours-at-9')).status).toBe(200)
    expect((await set('Four-harbours-at-10')).status).toBe(400)
    const signedIn = await fetch(`${service.origin}/api/auth/jwt/token/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'root@tidewater.io', password: 'Four-harbours-at-9' }),
    })
    expect(signedIn.status).toBe(200)
    const { access } = (await signedIn.json()) as { access: string }
    const me = await fetch(`${service.origin}/api/users/me/`, {
      headers: { authorization: `Bearer ${access}` },
    })
    expect(await me.json()).toMatchObject({ email: 'root@tidewater.io', is_superuser: true })
  })

  it('creates no second account for an address, and new links only for superusers', async () => {
    await expect(createSuperuser(service.urls.owner, 'Root@Tidewater.io')).rejects.toThrow(
      'An account has the address Root@Tidewater.io.',
    )
    await expect(renewLink(service.urls.owner, 'nobody@tidewater.io')).rejects.toThrow(
      'No superuser who can sign in has the address nobody@tidewater.io.',
    )
    const [first, second] = [
      await renewLink(service.urls.owner, 'ines@tidewater.io'),
      await renewLink(service.urls.owner, 'ines@tidewater.io'),
    ]
    expect(first).not.toBe(second)
    expect(
      await service.query(
        `select count(*)::int as n from account_emails where recipient = 'ines@tidewater.io' and kind = 'reset-password'`,
      ),
    ).toEqual([{ n: 1 }])
  })

  it('lists the superusers', async () => {
    expect(await listSuperusers(service.urls.owner)).toEqual([
      { email: 'ines@tidewater.io', username: 'ines', isActive: true, hasPassword: false },
      { email: 'root@tidewater.io', username: 'root', isActive: true, hasPassword: true },
    ])
  })
})

describe('docs/operate/runbooks.md', () => {
  const statements = statementsOf('runbooks.md')

  it.each(statements)('has a statement that the owner of the database can run: %s', async (statement) => {
    // A message with several commands has no rows of its own.
    await expect(service.query(statement)).resolves.not.toThrow()
  })

  it('has statements for each runbook', () => expect(statements.length).toBeGreaterThan(10))
})

describe('the environments of wrangler.toml', () => {
  it('have different names and queues', () => {
    const environments = environmentNames.map((name) => readEnvironment(name, []))
    const names = environments.flatMap(({ worker: own, queues }) => [own, ...queues])
    expect(new Set(names).size).toBe(names.length)
    expect(environments.map(({ queues }) => queues.length)).toEqual([3, 3])
  })

  it.each(environmentNames)(
    '%s has every binding of the Worker, with the same settings of queues',
    (name) => {
      const config = join(root, 'wrangler.toml')
      const bindingsOf = (env?: string) => {
        const read = unstable_readConfig({ config, ...(env ? { env } : {}) }, { hideWarnings: true })
        const { durable_objects, queues, send_email, worker_loaders, version_metadata, assets } = read
        const plain = JSON.stringify({
          durable_objects,
          queues,
          send_email,
          worker_loaders,
          version_metadata,
          assets,
        })
        return JSON.parse(env ? plain.replaceAll(`tessera-${env}-`, 'tessera-') : plain)
      }
      expect(bindingsOf(name)).toEqual(bindingsOf())
    },
  )
})
