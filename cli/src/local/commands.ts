/** `tessera init`, `tessera dev` and `tessera test`: a project of your own. docs/guide/project.md. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { examples, lazyAction } from '../command.ts'

/** Adds the commands to the program. */
export function addProjectCommands(program: Command): void {
  examples(
    program
      .command('init <folder>')
      .description('make a project: an app as files, a test, and the packages that it needs')
      .addOption(
        new Option('--template <name>', 'the pages of the project')
          .choices(['plain', 'vite-react', 'next'])
          .default('plain'),
      )
      .option('--yes', 'accepted in scripts; nothing is asked')
      .action(lazyAction(async () => (await import('./init.ts')).init)),
    'tessera init my-app',
    'tessera init my-app --template vite-react',
  )
  examples(
    program
      .command('dev')
      .description('run the service on this machine, and push the files in tessera/ when they are saved')
      .option('--port <number>', 'the port of the service', port, 8787)
      .option('--reset', 'begin with an empty database')
      .option('--with <command>', 'run the server of your own app beside it')
      .action(lazyAction(async () => (await import('./dev.ts')).dev)),
    'tessera dev',
    'tessera dev --with "vite" --port 8790',
  )
  examples(
    program
      .command('test [command...]')
      .description('run a command against a service of its own, with the apps of this folder')
      .action(lazyAction(async () => (await import('./test.ts')).test)),
    'tessera test -- node --test',
  )
}

function port(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > 65_535)
    throw new InvalidArgumentError('It must be a number from 1 to 65535.')
  return value
}
