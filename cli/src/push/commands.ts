/** `tessera push`: the apps of a project to an environment, or to many sites. docs/guide/deploy-your-app.md. */
import type { Command } from 'commander'
import { examples, lazyAction } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'

/** Adds the command to the program. */
export function addPushCommand(program: Command): void {
  examples(
    program
      .command('push')
      .description('push all apps of this folder: tables, rules, functions')
      .option('--env <name>', 'the service and site of an environment in tessera.config.js or .ts')
      .option('--sites <which>', 'all sites of the organization, or a file with their slugs, one a line')
      .option('--organization <slug>', 'the organization of --sites all')
      .option('--dry-run', `only show what differs; exit with ${exitCodes.different} if something does`)
      .option('--yes', 'do not ask for confirmation, for scripts')
      .option('--allow-data-loss', 'allow steps that lose values, and deletions of tables')
      .option('--force', 'overwrite changes that were made in the service')
      .action(lazyAction(async () => (await import('./push.ts')).pushProject)),
    'tessera push',
    'tessera push --env production --yes',
    'tessera push --env production --sites all --organization practices --dry-run',
  )
}
