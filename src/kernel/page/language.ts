/** Selects the language of a page: the available one that the browser prefers. */
import { createContext, useContext } from 'hono/jsx'
import { type Language, languageOf } from '../lib/languages.ts'
import type { TextsByLanguage } from './texts/define.ts'

/** Returns the best language for an `Accept-Language` header. English if no language matches. */
export const languageFor = (header?: string): Language => languageOf(header) ?? 'en'

const LanguageContext = createContext<Language>('en')

/** Provides the language to the components of a page. */
export const InLanguage = LanguageContext.Provider

/** Returns the language of the page that is rendered. Call it in a component. */
export const useLanguage = (): Language => useContext(LanguageContext)

/** Returns the texts in the language of the page that is rendered. Call it in a component. */
export const useTexts = <Shape>(texts: TextsByLanguage<Shape>) => texts[useLanguage()]
