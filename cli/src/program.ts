/** The commands of `tessera`, in the order in which the help lists them. */
import { Command } from 'commander'
import { addCompletionCommand } from './completion.ts'
import { addDataCommands } from './data/commands.ts'
import { addFunctionCommands } from './functions/commands.ts'
import { addProjectCommands } from './local/commands.ts'
import { addPushCommand } from './push/commands.ts'
import { addSchemaCommands } from './schema/commands.ts'
import { addSignInCommands } from './sign-in/commands.ts'
import { addAccessCommands } from './site/access.ts'
import { addEventCommands } from './site/events.ts'
import { addOpenCommand } from './site/open.ts'
import { addSecretCommands } from './site/secrets.ts'
import { addSiteCommands } from './site/sites.ts'
import { addTypesCommand } from './types/command.ts'

/** Creates the program. It throws errors, including wrong arguments. */
export function makeProgram(version: string): Command {
  const program = new Command('tessera')
    .description('The command line of Tessera. See docs/guide/cli.md.')
    .version(version)
    .option('--url <address>', 'the service; default $TESSERA_URL, or that of the last sign-in')
    .option('--site <slug>', 'the site, if it is not part of the address; default $TESSERA_SITE')
    .option('--json', 'print JSON, also for errors')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ outputError: () => undefined, writeErr: showHelp })
  addProjectCommands(program)
  addPushCommand(program)
  addSignInCommands(program)
  addTypesCommand(program)
  addSchemaCommands(program)
  addAccessCommands(program)
  addDataCommands(program)
  addSecretCommands(program)
  addFunctionCommands(program)
  addEventCommands(program)
  addSiteCommands(program)
  addOpenCommand(program)
  addCompletionCommand(program)
  program.addHelpText('after', exitCodesText)
  return inheritSettings(program)
}

/**
 * Shows the help of a command line that names no command. With `--json` the standard error has JSON alone.
 */
function showHelp(text: string): void {
  if (!process.argv.includes('--json')) process.stderr.write(text)
}

const exitCodesText = `
Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 not signed in or not permitted, 4 not found,
5 conflict, 6 files and service differ, 7 no answer, 130 interrupted.`

/** Commands added with \`command()\` only inherit earlier settings; groups add theirs later. */
function inheritSettings(command: Command): Command {
  for (const child of command.commands) inheritSettings(child.copyInheritedSettings(command))
  return command
}
