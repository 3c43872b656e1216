/** An error with a message for the person at the terminal. */
import { type ExitCode, exitCodes } from './exit-codes.ts'

/** `details` are the members of the error in the JSON form. */
export class Problem extends Error {
  readonly exitCode: ExitCode
  readonly details: object

  constructor(message: string, exitCode: ExitCode = exitCodes.failed, details: object = {}) {
    super(message)
    this.exitCode = exitCode
    this.details = details
  }
}
