/**
 * The texts of booleans in query strings. Clients in Python send `True`, and forms send `1`. One that was
 * taken for false could turn a dry run into a write. W10.
 */
const booleans: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['True', true],
  ['1', true],
  ['false', false],
  ['False', false],
  ['0', false],
])

/** The accepted texts. */
export const booleanTexts = [...booleans.keys()] as string[]

/** Returns the value of a text, and undefined for any other text or none. */
export const booleanOf = (text: unknown): boolean | undefined => booleans.get(text)
