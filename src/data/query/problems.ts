/** Everything that is wrong with a query, by parameter, found in one pass. R2. */
import { AppError, type Json } from '../../errors.ts'

/** Messages in one answer at most. */
const messagesMax = 100

export class Problems {
  readonly #messages = new Map<string, string[]>()
  #found = 0

  add(parameter: string, message: string): void {
    this.#found++
    if (this.#found > messagesMax) return
    const messages = this.#messages.get(parameter)
    if (messages) messages.push(message)
    else this.#messages.set(parameter, [message])
  }

  get areNone(): boolean {
    return this.#found === 0
  }

  /** Each message with its parameter before it. */
  asList(): string[] {
    return [...this.#messages].flatMap(([parameter, messages]) => messages.map((message) => `${parameter}: ${message}`))
  }

  /** Refuses, when anything was found. */
  throwIfAny(): void {
    if (this.areNone) return
    const more = this.#found - messagesMax
    const details = [...this.#messages, ...(more > 0 ? [['non_field_errors', [`… and ${more} problems more.`]] as const] : [])]
    throw new AppError(400, { error: 'Validation failed', details: Object.fromEntries(details) as Json })
  }
}
