/** `tessera schema pull`, `diff` and `push`: an app as files in a folder that belongs in git. */
import type { Command } from 'commander'
import { examples, lazyAction } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'

/** Adds the commands to the program. */
export function addSchemaCommands(program: Command): void {
  const schema = program
    .command('schema')
    .description('an app as files: tables, rules, functions, subscriptions')
  const sub = (name: string, description: string) =>
    schema
      .command(`${name} <app>`)
      .description(description)
      .option('--dir <folder>', 'the folder of the files; default tessera/<app>')
  examples(
    sub('pull', 'write the app of the service into files')
      .option('--force', 'write over files that were edited and not pushed')
      .action(lazyAction(async () => (await import('./run.ts')).pull)),
    'tessera schema pull shop',
    'tessera schema pull shop --dir backend/shop --site staging',
  )
  examples(
    sub('diff', 'show what a push would change: steps, SQL, what is lost and what is locked')
      .option('--check', `exit with ${exitCodes.different} if there are differences`)
      .action(lazyAction(async () => (await import('./run.ts')).diff)),
    'tessera schema diff shop',
    'tessera schema diff shop --check --json',
  )
  examples(
    sub('push', 'change the app of the service into that of the files')
      .option('--yes', 'do not ask; needed where nobody can answer')
      .option('--allow-data-loss', 'permit steps that lose values, and tables that are deleted')
      .option('--force', 'push over changes that somebody made at the service since the pull')
      .action(lazyAction(async () => (await import('./run.ts')).push)),
    'tessera schema push shop',
    'tessera schema push shop --yes --json',
  )
}
