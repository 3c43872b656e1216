/** An error with a message for the person at the terminal. */
export class Refusal extends Error {}

/** Returns the message of an error, or the text of anything else that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
