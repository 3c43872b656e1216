/** Makes text of other people safe for a terminal: it must not move the cursor or hide other text. */
import { stripVTControlCharacters } from 'node:util'

/** Returns a text without control characters, on one line. */
export const plainLine = (text: unknown): string => withoutControls(String(text)).replaceAll(/\s+/g, ' ')

/** Returns a text without control characters other than line breaks and tabs. */
export const plainText = (text: unknown): string =>
  String(text)
    .split('\n')
    .map((line) => withoutControls(line.replaceAll('\t', '  ')))
    .join('\n')

// Characters that change the direction of text can make it look like another text.
const controls = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
const withoutControls = (text: string): string =>
  stripVTControlCharacters(text).replaceAll(controls, (character) => (/\s/.test(character) ? ' ' : ''))
