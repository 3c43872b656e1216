/**
 * Replaces wrangler, which would need an account: records each call, and responds like wrangler for the
 * account that the file WRANGLER_ACCOUNT describes. It deploys the Worker at WRANGLER_WORKER, whose version
 * it reports; without one it reports a version that does not run.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'

interface Account {
  isSignedIn: boolean
  /** The names of secrets by environment; a Worker that was never deployed has no entry. */
  secrets: Record<string, string[]>
  queues: string[]
  /** The versions of Workers, the newest last. */
  versions: string[]
}

const path = process.env.WRANGLER_ACCOUNT as string
const account: Account = existsSync(path)
  ? JSON.parse(readFileSync(path, 'utf8'))
  : { isSignedIn: true, secrets: {}, queues: [], versions: [] }
const args = process.argv.slice(2)
const option = (name: string): string | undefined => args[args.indexOf(name) + 1 || args.length]

const fail = (message: string): never => {
  console.error(`✘ [ERROR] ${message}`)
  process.exit(1)
}

const environment = option('--env') ?? ''
const [command, second, third = ''] = args

async function deploy(): Promise<void> {
  const file = option('--secrets-file')
  const added = file ? Object.keys(JSON.parse(readFileSync(file, 'utf8'))) : []
  account.secrets[environment] = [...(account.secrets[environment] ?? []), ...added]
  const { WRANGLER_WORKER: worker } = process.env
  const running = worker ? await (await fetch(`${worker}/readyz`)).json() : {}
  const version = String(Object(running).version ?? `version-${account.versions.length + 1}`)
  account.versions.push(version)
  appendFileSync(
    process.env.WRANGLER_OUTPUT_FILE_PATH as string,
    `${JSON.stringify({ type: 'deploy', version_id: version })}\n`,
  )
}

const answers: Record<string, () => unknown> = {
  whoami: () => (account.isSignedIn ? console.log('{"loggedIn":true}') : fail('You are not authenticated.')),
  'secret list'() {
    const names = account.secrets[environment]
    if (!names) return fail(`Worker "tessera-${environment}" (env: ${environment}) not found.`)
    console.log(JSON.stringify(names.map((name) => ({ name, type: 'secret_text' }))))
  },
  'queues info': () =>
    account.queues.includes(third)
      ? console.log(`Queue Name: ${third}`)
      : fail(`Queue "${third}" does not exist.`),
  'queues create': () => void account.queues.push(third),
  async 'secret put'() {
    if ((await text(process.stdin)).trim() === '') return fail('The secret has no value.')
    account.secrets[environment] = [...(account.secrets[environment] ?? []), third]
  },
  'deployments list': () => console.log(account.versions.join('\n')),
  'versions list': () => console.log(account.versions.join('\n')),
  deploy,
  rollback: () => (account.versions.length > 1 ? undefined : fail('There is no earlier version.')),
}

const answer = answers[`${command} ${second}`] ?? answers[command ?? '']
appendFileSync(`${path}.calls`, `${args.join(' ').replace(/--secrets-file \S+/, '--secrets-file <file>')}\n`)
if (answer) await answer()
else fail(`Unknown command: ${args.join(' ')}`)
writeFileSync(path, JSON.stringify(account))
