/** Collects all problems of an input, so that one answer names them all. */

/** The most messages in one answer. */
export const problemsMax = 100

/** Messages by the parameter or field that they concern. */
export type ProblemDetails = Readonly<Record<string, readonly string[]>>

/**
 * Returns the first hundred messages, and one more with the number of the others. `found` is the number of
 * all messages.
 */
export function limitProblems(messages: readonly string[], found = messages.length): string[] {
  const shown = messages.slice(0, problemsMax)
  return found > problemsMax ? [...shown, othersText(found)] : shown
}

function othersText(found: number): string {
  const others = found - problemsMax
  return others === 1 ? '… and 1 more problem.' : `… and ${others} more problems.`
}

/** The problems found so far, by the parameter or field that they concern. */
export class ProblemList {
  readonly #messages = new Map<string, string[]>()
  #found = 0

  /** Adds a message. Beyond a hundred, messages are only counted. */
  add(name: string, message: string): void {
    this.#found++
    if (this.#found > problemsMax) return
    const messages = this.#messages.get(name)
    if (messages) messages.push(message)
    else this.#messages.set(name, [message])
  }

  get isEmpty(): boolean {
    return this.#found === 0
  }

  /** Returns each message with its parameter or field before it. */
  asList(): string[] {
    return [...this.#messages].flatMap(([name, messages]) => messages.map((message) => `${name}: ${message}`))
  }

  /** Returns the messages, and under `non_field_errors` the number of those beyond a hundred. */
  details(): ProblemDetails {
    const details = Object.fromEntries(this.#messages)
    if (this.#found <= problemsMax) return details
    return { ...details, non_field_errors: [...(details.non_field_errors ?? []), othersText(this.#found)] }
  }
}
