/** Recognizes UUIDs. */

const pattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Tells whether a text is a UUID in its usual form: hexadecimal digits in upper or lower case, with hyphens.
 */
export const isUuid = (text: string): boolean => pattern.test(text)
