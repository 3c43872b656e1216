/** The choices of the reader that this browser stores: never data of a site, and no credentials. */

const prefix = 'tessera-console:'

/** Returns the value stored under a name; undefined if there is none, or if it cannot be parsed. */
export function readKept(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(prefix + name) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps a value that JSON can have. A browser that keeps nothing loses it with the page. */
export function writeKept(name: string, value: unknown): void {
  try {
    localStorage.setItem(prefix + name, JSON.stringify(value))
  } catch {
    // Private windows may refuse; the choice holds until the page is left.
  }
}
