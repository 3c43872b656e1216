import { AppError, invalidFields } from '../errors.ts'
import { allowedPorts } from '../outgoing/fetch.ts'

export const nameGivesNoSlug = () => invalidFields({ name: ['No letter or digit of the name can stand in a slug: send a slug beside it.'] })
export const functionExists = (slug: string, field: 'name' | 'slug') =>
  invalidFields({ [field]: [`A function with the slug "${slug}" exists already in this app.`] })
export const modeIsFixed = () => invalidFields({ execution_mode: ['The mode of a function cannot be changed.'] })
export const webhookNotAllowed = () => invalidFields({ webhook_url: [`A URL of a public host over https is required, at port ${allowedPorts}.`] })
export const headerUnknown = (name: string) => invalidFields({ headers: [`No value is kept of the header "${name}".`] })
export const codeInvalid = (problem: string) => invalidFields({ code: [problem] })
export const functionInactive = () => new AppError(400, { detail: 'The function is not active.' })

/** What a mode needs, or does not take, by the constraint of `_functions` that says so. */
const misfits = new Map<string, [field: string, message: string]>([
  ['_functions_code_check', ['code', 'Functions in "app" mode have code, and others have none.']],
  ['_functions_allowed_hosts_check', ['allowed_hosts', 'Only functions in "app" mode have hosts that they may reach.']],
  ['_functions_webhook_url_check', ['webhook_url', 'Functions in "proxy" mode have a URL, and others have none.']],
  ['_functions_headers_check', ['headers', 'Only functions in "proxy" mode have headers.']],
  ['_functions_system_function_check', ['system_function', 'Functions in "system" mode name a function of the system, and others do not.']],
])

export function unfitForMode(constraint: string | undefined): AppError | undefined {
  const [field, message] = misfits.get(constraint ?? '') ?? []
  return field !== undefined && message !== undefined ? invalidFields({ [field]: [message] }) : undefined
}
