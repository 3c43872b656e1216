/** Escapes text for LIKE. */

/** Escapes a text so that it matches literally in a LIKE pattern. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
