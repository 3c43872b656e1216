/** The output for a failure: the API's message, the exit code, and the JSON form. */
import { CommanderError } from 'commander'
import { ConnectionError, TesseraError } from '../../client/src/index.ts'
import { RefusedError } from '../../dev/client.ts'
import { Refusal } from '../../dev/loader/refusal.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { Problem } from './problem.ts'

/** The output for a failure. */
interface Failure {
  message: string
  exitCode: ExitCode
  json: object
}

/** The exit codes by the status of the error response; all others are `failed`. */
const byStatus: ReadonlyMap<number, ExitCode> = new Map([
  [401, exitCodes.forbidden],
  [403, exitCodes.forbidden],
  [404, exitCodes.notFound],
  [409, exitCodes.conflict],
  [410, exitCodes.notFound],
  [412, exitCodes.conflict],
  [429, exitCodes.unavailable],
  [503, exitCodes.unavailable],
])

const codeOf = (status: number): ExitCode => byStatus.get(status) ?? exitCodes.failed

/** Returns the advice of the service, which some 404 have. */
export function hintOf({ body }: { body: unknown }): string | undefined {
  const { hint } = Object(body) as { hint?: unknown }
  return typeof hint === 'string' ? hint : undefined
}

/** Advice for errors that another command can solve. */
const hints: ReadonlyMap<number, string> = new Map([[401, 'Sign in with: tessera login']])

/** Returns the output for a failure. */
export function failureOf(error: unknown): Failure {
  if (error instanceof TesseraError) return failureOfRefusal(error)
  if (error instanceof RefusedError) {
    const { status, code } = error
    const hint = hintOf(error)
    const message = hint === undefined ? error.message : `${error.message}\n  ${hint}`
    return { message, exitCode: codeOf(status), json: { kind: 'refused', status, code, message } }
  }
  if (error instanceof Problem) {
    const { message, exitCode, details } = error
    return { message, exitCode, json: { kind: 'problem', ...details, message } }
  }
  if (error instanceof ConnectionError) {
    const message = `The service does not answer. ${error.message}`
    return { message, exitCode: exitCodes.unavailable, json: { kind: 'unavailable', message } }
  }
  if (error instanceof CommanderError) {
    const isHelp = error.code === 'commander.help'
    const message = isHelp ? 'No command is named.' : error.message.replace(/^error: /, '')
    return { message, exitCode: exitCodes.usage, json: { kind: 'usage', message } }
  }
  const message = error instanceof Error ? error.message : String(error)
  const kind = error instanceof Refusal ? 'problem' : 'failed'
  return { message, exitCode: exitCodes.failed, json: { kind, message } }
}

function failureOfRefusal(error: TesseraError): Failure {
  const { status, code, messages, requestId } = error
  const lines = Object.entries(messages).flatMap(([field, texts]) =>
    texts.map((text) => `  ${field === '' ? '' : `${field}: `}${text}`),
  )
  const head = error.message.slice(0, error.message.indexOf(`answered ${status}`))
  const hint = head.includes('/api/auth/') ? undefined : hints.get(status)
  return {
    message: [`${head}answered ${status}:`, ...lines, ...(hint ? [hint] : [])].join('\n'),
    exitCode: code === 'already_exists' ? exitCodes.conflict : codeOf(status),
    json: { kind: 'refused', status, code, message: error.message, messages, request_id: requestId },
  }
}
