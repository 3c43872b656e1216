/** The errors of event subscriptions. Spec: Errors, events. */
import type { ErrorCode } from '../../kernel/error-codes.ts'
import { AppError } from '../../kernel/errors.ts'
import { quoteValue } from '../../kernel/lib/quote-value.ts'
import { eventNames } from './catalog.ts'

const eventError = (status: 400 | 404, code: ErrorCode, message: string) =>
  new AppError(status, code, { success: false, message })

/** The 400 for an unknown event. */
export const invalidEvent = (name: string) =>
  eventError(
    400,
    'validation_failed',
    `Invalid event type "${name}". Valid events are: ${eventNames.join(', ')}.`,
  )
/** The 400 for a function that does not exist in the site. E7. */
export const unknownFunction = (id: number) =>
  eventError(400, 'validation_failed', `A function with the id ${id} does not exist.`)
/** The 400 for a duplicate subscription. */
export const alreadySubscribed = (id: number, event: string) =>
  eventError(400, 'already_exists', `The function ${id} is already subscribed to the event "${event}".`)
/** The 400 for tables that the app of the function does not have. E9. */
export const unknownTables = (names: readonly string[]) =>
  eventError(
    400,
    'validation_failed',
    `The app of the function has no table ${names.map(quoteValue).join(', ')}.`,
  )
/** The 400 for tables of an event of accounts. E9. */
export const noTables = (event: string) =>
  eventError(400, 'validation_failed', `The event "${event}" concerns no table.`)
/** The 404 for the removal of a subscription that does not exist. */
export const notSubscribed = (id: number, event: string) =>
  eventError(404, 'not_found', `The function ${id} is not subscribed to the event "${event}".`)
