/** The addresses of pages. */

/** The address of a page, below /console/. Each part is encoded. */
export const addressOf = (...parts: readonly (string | number)[]): string =>
  `/${parts.map((part) => `${encodeURIComponent(part)}/`).join('')}`
