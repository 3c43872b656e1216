/** Selects the language of an e-mail. */
import { type Language, languageOf } from '../../../kernel/lib/languages.ts'
import { de } from './de.ts'
import { en, type Letters } from './en.ts'

const letters: Readonly<Record<Language, Letters>> = { en, de }

/**
 * Returns the texts in the recipient's preferred language, such as `de-AT`, or else in the language of the
 * request that caused the e-mail, or else in English.
 */
export const lettersFor = (preferred: string | null | undefined, asked: Language | null = null): Letters =>
  letters[languageOf(preferred) ?? asked ?? 'en']
