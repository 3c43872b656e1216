/** The addresses of pages. */

/** Returns the address of a page, below /console/. Encodes each part. */
export const addressOf = (...parts: readonly (string | number)[]): string =>
  `/${parts.map((part) => `${encodeURIComponent(part)}/`).join('')}`
