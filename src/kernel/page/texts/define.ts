/** The texts of the pages of an area: its own, and those of every page. */
import type { Language } from '../../lib/languages.ts'
import { de } from './de.ts'
import { en, type Texts } from './en.ts'

export type TextsByLanguage<Shape> = Readonly<Record<Language, Texts & Shape>>

/** Adds the texts of every page to those of an area, which has the same members in each language. */
export const defineTexts = <Shape extends object>(own: Readonly<Record<Language, Shape>>) =>
  ({ en: { ...en, ...own.en }, de: { ...de, ...own.de } }) satisfies TextsByLanguage<Shape>

/** The texts of every page. */
export const commonTexts: TextsByLanguage<object> = { en, de }
