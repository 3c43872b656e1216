/**
 * Tells whether a text is base64, of any length. An expression that counts groups of four overflows above 4
 * MB.
 */
export function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false
  const padding = /={0,2}$/.exec(text.slice(-2))?.[0].length ?? 0
  return !/[^A-Za-z0-9+/]/.test(text.slice(0, text.length - padding))
}
