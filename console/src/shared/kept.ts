/** Stores choices of the user in this browser: never data of a site, and no credentials. */

const prefix = 'tessera-console:'

/** Returns the value stored under a name; undefined if there is none, or if it cannot be parsed. */
export function readKept(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(prefix + name) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** Stores a JSON value. A browser that stores nothing loses it when the page is left. */
export function writeKept(name: string, value: unknown): void {
  try {
    localStorage.setItem(prefix + name, JSON.stringify(value))
  } catch {
    // Private windows may refuse to store it; the choice then lasts until the page is left.
  }
}
