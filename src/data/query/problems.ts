/** Everything that is wrong with a query, by parameter, found in one pass. R2. */
import { AppError, type Json } from '../../errors.ts'

export class Problems {
  readonly #messages = new Map<string, string[]>()

  add(parameter: string, message: string): void {
    this.#messages.set(parameter, [...(this.#messages.get(parameter) ?? []), message])
  }

  /** Each message with its parameter before it. */
  asList(): string[] {
    return [...this.#messages].flatMap(([parameter, messages]) => messages.map((message) => `${parameter}: ${message}`))
  }

  /** Refuses, when anything was found. */
  throwIfAny(): void {
    if (this.#messages.size > 0) throw new AppError(400, { error: 'Validation failed', details: Object.fromEntries(this.#messages) as Json })
  }
}
