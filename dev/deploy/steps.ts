/** The steps of a deployment and of a rollback: one row for each, with its calls and its code. */
import { buildConsole } from '../build-console.ts'
import { migrate } from '../migrations.ts'
import { requireOwnerDatabaseUrl } from '../owner-database.ts'
import { problemsOf, publicUrlOf, requiredSecrets } from './checks.ts'
import { checkDatabase, noteEnd, noteStart } from './database.ts'
import { type Environment, type SecretName, secretNames } from './environment.ts'
import { smokeRequests, smokeTest } from './smoke-test.ts'
import { type Answer, type Wrangler, withPrivateFile } from './wrangler.ts'

export interface Step {
  title: string
  /** The calls of the step, for `--dry-run`. */
  calls: readonly string[]
  /** Returns a line that describes the result. Throws if the deployment must stop. */
  run(): Promise<string>
  /** The advice if the step fails; by default, to repeat the command. */
  afterFailure?: string
}

/** The data for a deployment. */
export interface Plan {
  environment: Environment
  env: NodeJS.ProcessEnv
  wrangler: Wrangler
  /** The address for the smoke test; by default the public address. */
  url: string | undefined
  /** How long the smoke test waits for the right responses. */
  waitMs: number
  /** The version to which a rollback goes; the previous one by default. */
  to: string | undefined
}

/** Results of earlier steps that later ones need. */
interface State {
  /** Secrets that the command has and Cloudflare lacks. */
  newSecrets: Partial<Record<SecretName, string>>
  /** The row of public.deployments. */
  id: string | undefined
  version: string | undefined
}

const newState = (): State => ({ newSecrets: {}, id: undefined, version: undefined })

const described = (args: readonly string[]): string => `wrangler ${args.join(' ')}`

/** Throws what wrangler printed if it failed. */
function requireSuccess(args: readonly string[], { succeeded, text }: Answer): void {
  if (!succeeded) throw new Error(`${described(args)} failed:\n${text}`)
}

/** Returns the steps that deploy this version. Each can be repeated. */
export function deploySteps(plan: Plan): Step[] {
  const state = newState()
  return [
    checkVariables(plan),
    checkAccount(plan),
    checkSecrets(plan, state),
    createQueues(plan),
    claimDatabase(plan, state, 'deploy'),
    buildPages(),
    migrateDatabase(plan),
    uploadMongodb(plan),
    upload(plan, state),
    {
      ...smoke(plan, state),
      afterFailure:
        'The new version gives wrong answers. This returns to the previous version: ' +
        `npm run deploy -- rollback --env ${plan.environment.name}`,
    },
  ]
}

/** Returns the steps that restore an earlier version of the Worker. The database does not change. */
export function rollbackSteps(plan: Plan): Step[] {
  const state = newState()
  return [
    checkVariables(plan),
    checkAccount(plan),
    claimDatabase(plan, state, 'rollback'),
    rollBack(plan, state),
    smoke(plan, state),
  ]
}

const checkVariables = ({ environment, env }: Plan): Step => ({
  title: 'Check the variables',
  calls: [`read [env.${environment.name}] of wrangler.toml, and the environment of this command`],
  async run() {
    const problems = problemsOf(environment, env)
    if (problems.length > 0) throw new Error(problems.join('\n'))
    return `${environment.worker} at ${publicUrlOf(environment)}`
  },
})

const buildPages = (): Step => ({
  title: 'Build the console',
  calls: ['npm run build:console'],
  run: async () => ((await buildConsole()) ? 'built' : 'built already'),
})

const checkAccount = ({ wrangler }: Plan): Step => {
  const args = ['whoami', '--json']
  return {
    title: 'Check the account at Cloudflare',
    calls: [described(args)],
    async run() {
      const answer = await wrangler(args)
      if (!answer.succeeded)
        throw new Error(
          'wrangler is not signed in. Set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID, or run ' +
            'npx wrangler login.',
        )
      return 'signed in'
    },
  }
}

const checkSecrets = ({ environment, env, wrangler }: Plan, state: State): Step => {
  const args = ['secret', 'list', '--env', environment.name, '--format', 'json']
  return {
    title: 'Check the secrets',
    calls: [described(args)],
    async run() {
      const answer = await wrangler(args)
      // A Worker that was never deployed has none.
      const isNew = !answer.succeeded && /Worker ".*" .*not found|\[code: 10007\]/s.test(answer.text)
      if (!isNew) requireSuccess(args, answer)
      const there = isNew ? [] : secretsIn(answer.output)
      for (const name of secretNames) {
        const value = env[name]
        if (!there.includes(name) && value) state.newSecrets[name] = value
      }
      const missing = requiredSecrets(environment).filter(
        (name) => !there.includes(name) && state.newSecrets[name] === undefined,
      )
      if (missing.length > 0)
        throw new Error(
          `${environment.worker} lacks ${missing.join(', ')}. Set them in the environment of this command, ` +
            `or by npx wrangler secret put <name> --env ${environment.name}.`,
        )
      const added = Object.keys(state.newSecrets)
      return added.length > 0 ? `${added.join(', ')} will be set` : 'all are set'
    },
  }
}

function secretsIn(output: string): string[] {
  const listed: unknown = JSON.parse(output)
  return Array.isArray(listed) ? listed.map(({ name }) => String(name)) : []
}

const createQueues = ({ environment: { queues }, wrangler }: Plan): Step => ({
  title: 'Create the queues that are missing',
  calls: queues.flatMap((queue) => [
    `wrangler queues info ${queue}`,
    `wrangler queues create ${queue}, if there is none`,
  ]),
  async run() {
    const created: string[] = []
    for (const queue of queues) {
      if ((await wrangler(['queues', 'info', queue])).succeeded) continue
      const args = ['queues', 'create', queue]
      requireSuccess(args, await wrangler(args))
      created.push(queue)
    }
    return created.length > 0 ? `created ${created.join(', ')}` : 'all are there'
  },
})

const claimDatabase = (
  { environment: { name }, env }: Plan,
  state: State,
  kind: 'deploy' | 'rollback',
): Step => ({
  title: 'Check the database',
  calls: [
    'refuse the database of another environment, and accounts with the password of the demo',
    'insert into public.deployments',
  ],
  async run() {
    const ownerUrl = requireOwnerDatabaseUrl(env)
    await checkDatabase(ownerUrl, name)
    state.id = await noteStart(ownerUrl, name, kind)
    return `it is that of ${name}; this is number ${state.id}`
  },
})

const migrateDatabase = ({ env }: Plan): Step => ({
  title: 'Migrate the database',
  calls: ['npm run db:migrate'],
  async run() {
    const applied = await migrate(requireOwnerDatabaseUrl(env), {
      roles: { service: env.DATABASE_URL ?? '', schema: env.SCHEMA_DATABASE_URL },
      onWait: () => console.log('Waiting for another migration of this database.'),
    })
    return `${applied} migrations were run`
  },
})

/** The Worker of MongoDB is there before the one that is bound to it. It answers that of the release before, too. */
const uploadMongodb = ({ environment, wrangler }: Plan): Step => {
  const args = ['deploy', '--config', 'mongodb/wrangler.toml', '--env', environment.name]
  return {
    title: 'Upload the Worker of MongoDB',
    calls: [described(args)],
    async run() {
      requireSuccess(args, await wrangler(args))
      return 'uploaded'
    },
  }
}

const upload = ({ environment, wrangler }: Plan, state: State): Step => {
  const args = [
    'deploy',
    '--env',
    environment.name,
    ...environment.overrides.flatMap((override) => ['--var', override]),
  ]
  return {
    title: 'Upload the Worker',
    calls: [`${described(args)} (with --secrets-file <file> for new secrets)`],
    async run() {
      const isWithSecrets = Object.keys(state.newSecrets).length > 0
      const answer = isWithSecrets
        ? await withPrivateFile(JSON.stringify(state.newSecrets), (path) =>
            wrangler([...args, '--secrets-file', path]),
          )
        : await wrangler(args)
      requireSuccess(args, answer)
      state.version = versionIn(answer)
      return `version ${state.version ?? 'unknown'}`
    },
  }
}

/** Returns the id of the version that wrangler reports. */
function versionIn({ reports }: Answer): string | undefined {
  const id = reports.map(({ version_id }) => version_id).find((value) => typeof value === 'string')
  return id as string | undefined
}

const rollBack = ({ environment, wrangler, to }: Plan, state: State): Step => {
  const args = [
    'rollback',
    ...(to === undefined ? [] : [to]),
    '--env',
    environment.name,
    '--message',
    'npm run deploy -- rollback',
    '--yes',
  ]
  return {
    title: to === undefined ? 'Roll back to the version before' : `Roll back to ${to}`,
    calls: [described(args)],
    async run() {
      requireSuccess(args, await wrangler(args))
      state.version = to
      return to ?? 'the version before'
    },
  }
}

const smoke = ({ environment, env, url, waitMs }: Plan, state: State): Step => {
  const address = (url ?? publicUrlOf(environment) ?? '<PUBLIC_URL>').replace(/\/$/, '')
  return {
    title: 'Smoke test',
    calls: smokeRequests(address),
    async run() {
      await smokeTest(address, state.version, waitMs)
      if (state.id !== undefined) await noteEnd(requireOwnerDatabaseUrl(env), state.id, state.version)
      return 'every answer is right'
    },
  }
}
