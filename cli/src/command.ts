/** Helpers for the declarations of commands. */
import type { Command } from 'commander'
import { type Context, contextOf } from './context.ts'

/** Adds examples to the help of a command. */
export function examples(command: Command, ...lines: string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`)
}

/**
 * Like `action`, for code that is loaded only when the command is called, so that other commands start
 * faster.
 */
export const lazyAction = <Options, Arguments extends unknown[]>(
  load: () => Promise<(context: Context, options: Options, ...rest: Arguments) => Promise<void>>,
) => action<Options, Arguments>(async (...all) => (await load())(...all))

/** Creates the action of a command: `run` gets the context, the options, and then the arguments. */
export const action =
  <Options, Arguments extends unknown[]>(
    run: (context: Context, options: Options, ...rest: Arguments) => Promise<void>,
  ) =>
  async (...all: unknown[]): Promise<void> => {
    const command = all.at(-1) as Command
    const positional = all.slice(0, -2) as Arguments
    await run(contextOf(command), command.opts() as Options, ...positional)
  }
