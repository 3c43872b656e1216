/** `tessera schema pull`, `diff`, `push` and `advice`: keep an app as files in a folder for git. */
import type { Command } from 'commander'
import { examples, lazyAction } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'

/** Adds the commands to the program. */
export function addSchemaCommands(program: Command): void {
  const schema = program
    .command('schema')
    .description('keep an app as files: tables, rules, functions, subscriptions')
  const sub = (name: string, description: string) =>
    schema
      .command(`${name} <app>`)
      .description(description)
      .option('--dir <folder>', 'the folder of the files; default tessera/<app>')
  examples(
    sub('pull', 'write an app of the service to files')
      .option('--force', 'overwrite files that were edited but not pushed')
      .action(lazyAction(async () => (await import('./run.ts')).pull)),
    'tessera schema pull shop',
    'tessera schema pull shop --dir backend/shop --site staging',
  )
  examples(
    sub('diff', 'show what a push would change: steps, SQL, lost values and locks')
      .option('--check', `exit with ${exitCodes.different} if there are differences`)
      .action(lazyAction(async () => (await import('./run.ts')).diff)),
    'tessera schema diff shop',
    'tessera schema diff shop --check --json',
  )
  examples(
    sub('push', 'change the app in the service to match the files')
      .option('--yes', 'do not ask for confirmation, for scripts')
      .option('--allow-data-loss', 'allow steps that lose values, and deletions of tables')
      .option('--force', 'overwrite changes that were made in the service since the pull')
      .action(lazyAction(async () => (await import('./run.ts')).push)),
    'tessera schema push shop',
    'tessera schema push shop --yes --json',
  )
  examples(
    schema
      .command('advice <app> [table]')
      .description('list the indexes that slow lists of the last week lacked')
      .action(lazyAction(async () => (await import('./advice.ts')).advice)),
    'tessera schema advice shop',
    'tessera schema advice shop products --json',
  )
}
