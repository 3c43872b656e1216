/** The nonce of this answer: styles that libraries write into the page carry it. */

/** Returns the nonce. Vite has put it into a `meta` of the document. */
export const nonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
