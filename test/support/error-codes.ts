/** Checks the code of every error answer of a test. Spec: Errors; W9. */
import { type ErrorCode, errorCodes } from '../../src/kernel/error-codes.ts'

/** Throws unless an error answer has a code that can have its status, and other answers have none. */
export function checkCode(method: string, path: string, { status, headers }: Response): void {
  const code = headers.get('x-error-code')
  const statuses: readonly number[] | undefined = errorCodes[code as ErrorCode]
  if (status < 400 ? code !== null : !statuses?.includes(status))
    throw new Error(`${method} ${path}: ${status} with the code ${code}`)
}

/**
 * Throws unless a JSON body of an error has the code of the header: a body with fixed members, except those of
 * SCIM and of the Model Context Protocol. In all others, `code` can only be a field.
 */
export function checkBodyCode(where: string, headers: Headers, body: unknown): void {
  const { detail, error, message, code, schemas } = Object(body) as Readonly<Record<string, unknown>>
  const isFixed = schemas === undefined && [detail, error, message].some((text) => typeof text === 'string')
  const expected = isFixed ? headers.get('x-error-code') : undefined
  if ((typeof code === 'string' ? code : undefined) !== expected)
    throw new Error(
      `${where}: a body with the code ${code}, and a header with ${headers.get('x-error-code')}`,
    )
}
