/** Selects the language of a page: the available one that the browser prefers. */
import { createContext, useContext } from 'hono/jsx'
import { type Language, languageOf } from '../lib/languages.ts'
import { de } from './texts/de.ts'
import { en, type Texts } from './texts/en.ts'

const languages: Readonly<Record<Language, Texts>> = { en, de }

/** Returns the texts in the best language for an `Accept-Language` header. English if no language matches. */
export const textsFor = (header = ''): Texts => languages[languageOf(header) ?? 'en']

const TextsContext = createContext<Texts>(en)

/** Provides the texts of a language to the components of a page. */
export const InLanguage = TextsContext.Provider

/** Returns the texts of the page that is rendered. Call it in a component. */
export const useTexts = (): Texts => useContext(TextsContext)
