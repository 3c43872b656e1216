/** The errors of functions. */
import { DatabaseFailure, sqlstates } from '../../kernel/db/failures.ts'
import { AppError, appNotFound, invalidFields, partNotFound } from '../../kernel/errors.ts'
import { quoteValue } from '../../kernel/lib/quote-value.ts'
import { allowedPorts } from '../../kernel/outgoing/fetch.ts'

/** The 404 for a function, or for its app if that does not exist. */
export const functionNotFound = (slug: string, app: string, hasApp: boolean) =>
  hasApp ? partNotFound('function', slug, ` in the app "${app}"`) : appNotFound(app)

/** The 404 for an unknown version of a function. */
export const versionNotFound = (slug: string, number: number) =>
  partNotFound('version', number, ` of the function ${quoteValue(slug)}`)

/**
 * The 400 for a slug that another function of the app has. `field` is the field from which the slug was made.
 */
export const functionExists = (slug: string, field: 'name' | 'slug') =>
  invalidFields(
    { [field]: [`A function with the slug "${slug}" already exists in this app.`] },
    'already_exists',
  )

/** The 400 for a change of the execution mode. */
export const modeIsFixed = () =>
  invalidFields(
    { execution_mode: ['The mode of a function cannot be changed. Create another function.'] },
    'read_only',
  )

/** The 400 for a webhook URL that the service must not call. S8. */
export const webhookNotAllowed = () =>
  invalidFields({
    webhook_url: [`The URL must have a public host, use https, and have the port ${allowedPorts}.`],
  })

/** The 400 for a masked header value that is not stored. */
export const headerUnknown = (name: string) =>
  invalidFields({ headers: [`The header "${name}" has no stored value to keep.`] })

/**
 * The 400 for headers whose stored values would be sent to another host than that for which they were
 * entered.
 */
export const headersElsewhere = () =>
  invalidFields({
    headers: ['The URL has another host than before: send the values of the headers again, or {}.'],
  })

/** The 400 for a rotation of the signing secret of a function that has none. */
export const noSigningSecret = () =>
  new AppError(400, 'no_signing_secret', { detail: 'Only functions in "proxy" mode have a signing secret.' })

/** The 400 for code that cannot be loaded. */
export const codeInvalid = (problem: string) => invalidFields({ code: [problem] })

/** The 400 for the execution of a function that is not active. */
export const functionInactive = () =>
  new AppError(400, 'function_inactive', { detail: 'The function is not active.' })

/**
 * Throws the 409 for switching off or deleting a function that guards an event, or its app; rethrows any
 * other error. E8.
 */
export function rejectGuard(error: unknown): never {
  if (!(error instanceof DatabaseFailure) || error.sqlstate !== sqlstates.guardsEvent) throw error
  throw new AppError(409, 'guards_event', {
    error: 'A function guards an event',
    detail: `${error.detail}: without it, accounts would be created unchecked. Unsubscribe it first.`,
  })
}

/** The 403 for changing a function that declares secrets without the permission to read secrets. */
export const secretsNotReadable = () =>
  new AppError(403, 'permission_denied', {
    detail: 'Only callers who may read secrets can change a function that declares secrets.',
  })

/** The 429 for a run that has used up its requests. */
export const tooManyOfRun = (requestsMax: number) =>
  new AppError(429, 'rate_limited', {
    detail: `A run of a function can make at most ${requestsMax} requests.`,
  })

/** The fields that a mode requires or excludes, by the check constraint of `_functions`. */
const modeErrors = new Map<string, [field: string, message: string]>([
  ['_functions_code_check', ['code', 'Functions in "app" mode require code; others must not have any.']],
  [
    '_functions_allowed_hosts_check',
    ['allowed_hosts', 'Only functions in "app" mode can have allowed hosts.'],
  ],
  [
    '_functions_webhook_url_check',
    ['webhook_url', 'Functions in "proxy" mode require a URL; others must not have one.'],
  ],
  ['_functions_runs_as_check', ['as', 'Only functions in "app" mode can have the rights of the caller.']],
  [
    '_functions_schedule_check',
    ['schedule', 'A schedule has no caller: only functions with "as": "service" can have one.'],
  ],
  ['_functions_secrets_check', ['secrets', 'Only functions in "app" mode can have secrets.']],
  ['_functions_variables_check', ['variables', 'Only functions in "app" mode can have variables.']],
  ['_functions_headers_check', ['headers', 'Only functions in "proxy" mode can have headers.']],
  [
    '_functions_system_function_check',
    ['system_function', 'Functions in "system" mode require a system function; others must not have one.'],
  ],
])

/** Returns the 400 for a constraint failure of `_functions` that concerns the mode; undefined for others. */
export function modeError(constraint: string | undefined): AppError | undefined {
  const [field, message] = modeErrors.get(constraint ?? '') ?? []
  return field !== undefined && message !== undefined ? invalidFields({ [field]: [message] }) : undefined
}
