/** Writes any text as a part of a TypeScript file, which it cannot end. */

/** Characters that end a line, show as nothing, or change the direction of the text around them. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]/gu
const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`

/** Returns any text as a string of TypeScript, which it cannot end. */
export const quoted = (text: unknown): string =>
  `'${String(text).replaceAll(/['\\]/g, '\\$&').replaceAll(unseen, escaped)}'`

/** Returns any text for a comment, which it cannot end. */
export const inComment = (text: unknown): string =>
  String(text).replaceAll(/\s+/g, ' ').replaceAll(unseen, '').replaceAll('*/', '*\\/').trim()

export const member = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))
/** Returns the name of a member of an object. `__proto__` would set the prototype instead. */
export const key = (name: string): string => (name === '__proto__' ? `[${quoted(name)}]` : member(name))

export const comment = (text: string | undefined, space: string): string[] =>
  text ? [`${space}/** ${inComment(text)} */`] : []
