/** `npm run deploy`: deploys an environment, or brings back the previous version. docs/operate/deploy.md. */
import { parseArgs } from 'node:util'
import { readEnvironment } from './deploy/environment.ts'
import { environmentNames } from './deploy/environment-names.ts'
import { runSteps } from './deploy/run-steps.ts'
import { deploySteps, type Plan, rollbackSteps } from './deploy/steps.ts'
import { wranglerOf } from './deploy/wrangler.ts'
import { runCommand } from './run-command.ts'

const usage = `Usage: npm run deploy -- [rollback] --env ${environmentNames.join('|')} [options]

  deploys this version: checks, migrates the database, uploads the Worker, tests it. Each step can be repeated.
  rollback              brings back the version of the Worker before; the database stays as it is

  --env <name>          the environment of wrangler.toml
  --dry-run             prints each step and what it would call, and calls nothing
  --var <NAME:value>    a variable of the Worker over that of wrangler.toml; may be repeated
  --url <address>       where the smoke test asks; by default PUBLIC_URL
  --wait <seconds>      how long the smoke test waits for right answers; by default 60
  --to <version>        with rollback: the id of a version; npx wrangler versions list --env <name> lists them

  OWNER_DATABASE_URL and DATABASE_URL must be set as for npm run db:migrate. Secrets that the Worker lacks are taken
  from the environment of the command.`

function secondsOf(option: string): number {
  const seconds = Number(option)
  if (!(seconds > 0)) throw new Error(`--wait is ${option}; it has to be a number of seconds above 0.`)
  return seconds
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      env: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      var: { type: 'string', multiple: true, default: [] },
      url: { type: 'string' },
      wait: { type: 'string', default: '60' },
      to: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(usage)
  const [command = 'deploy', ...rest] = positionals
  const stepsOf = { deploy: deploySteps, rollback: rollbackSteps }[command]
  if (stepsOf === undefined || rest.length > 0) throw new Error(usage)
  const environment = readEnvironment(values.env, values.var)
  const plan: Plan = {
    environment,
    env: process.env,
    wrangler: wranglerOf(process.env),
    url: values.url,
    waitMs: secondsOf(values.wait) * 1000,
    to: values.to,
  }
  await runSteps(stepsOf(plan), { isDryRun: values['dry-run'], print: console.log })
  if (!values['dry-run']) console.log(`Done: ${command} of ${environment.name}.`)
}

await runCommand(run)
