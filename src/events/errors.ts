/** Spec: Errors, events. */
import { AppError } from '../errors.ts'
import { eventNames } from './catalog.ts'

const refused = (status: 400 | 404, message: string) => new AppError(status, { success: false, message })

export const invalidEvent = (name: string) => refused(400, `Invalid event type "${name}". Valid events are: ${eventNames.join(', ')}.`)
export const unknownFunction = (id: number) => refused(400, `A function with the id ${id} does not exist.`)
export const alreadySubscribed = (id: number, event: string) => refused(400, `The function ${id} is already subscribed to the event "${event}".`)
export const notSubscribed = (id: number, event: string) => refused(404, `The function ${id} is not subscribed to the event "${event}".`)
