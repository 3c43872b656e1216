/** In which language an e-mail is written. */
import { type Language, languageOf } from '../../lib/languages.ts'
import { de } from './de.ts'
import { en, type Letters } from './en.ts'

const letters: Readonly<Record<Language, Letters>> = { en, de }

/**
 * Returns the texts in the language that the reader prefers, as `de-AT`; else in that of the request which
 * caused the e-mail; else in English.
 */
export const lettersFor = (preferred: string | null | undefined, asked: Language | null = null): Letters =>
  letters[languageOf(preferred) ?? asked ?? 'en']
