/** Wrong credentials that surely differ from right ones. */

/**
 * Returns a text with another character in its middle. The last character of base64url may have unused bits,
 * so that another one there can mean the same.
 */
export function changed(text: string): string {
  const place = Math.floor(text.length / 2)
  return text.slice(0, place) + (text[place] === 'x' ? 'y' : 'x') + text.slice(place + 1)
}
