/** Checks the code of every error answer of a test. Spec: Errors; W9. */
import { type ErrorCode, errorCodes } from '../../src/error-codes.ts'

/** Throws unless an error answer has a code that can have its status, and other answers have none. */
export function checkCode(method: string, path: string, { status, headers }: Response): void {
  const code = headers.get('x-error-code')
  const statuses: readonly number[] | undefined = errorCodes[code as ErrorCode]
  if (status < 400 ? code !== null : !statuses?.includes(status))
    throw new Error(`${method} ${path}: ${status} with the code ${code}`)
}
