/** The entry point of the command line. */
import { CommanderError } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import { exitCodes } from './exit-codes.ts'
import { failureOf } from './failure.ts'
import { makeProgram } from './program.ts'
import { printError } from './terminal/output.ts'

/** Help and the version are not failures, although commander throws them. */
const isAnswer = (error: unknown): boolean => error instanceof CommanderError && error.exitCode === 0

process.once('SIGINT', () => process.exit(exitCodes.interrupted))
// A reader such as `head` closes the pipe when it has read enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

try {
  await makeProgram(packageJson.version).parseAsync()
} catch (error) {
  if (!isAnswer(error)) {
    const { message, exitCode, json } = failureOf(error)
    printError(message, process.argv.includes('--json') ? json : undefined)
    process.exitCode = exitCode
  }
}
