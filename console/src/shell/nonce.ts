/** The nonce of this response, which the styles of libraries in the page must have. */

/** Returns the nonce. Vite puts it into a `meta` element of the document. */
export const nonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
