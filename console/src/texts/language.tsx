/** The language of the user: the selected one, or that of the browser. */
import { createContext, type PropsWithChildren, useEffect, useMemo, useState } from 'react'
import { readKept, writeKept } from '../shared/kept.ts'

/** The languages of the console. */
const languages = ['en', 'de'] as const
/** A language, as in the HTML attribute `lang`. */
export type Language = (typeof languages)[number]

interface Choice {
  language: Language
  choose(language: Language): void
}

const isLanguage = (text: unknown): text is Language => languages.some((one) => one === text)

function preferred(): Language {
  const kept = readKept('language')
  if (isLanguage(kept)) return kept
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en'
}

/** The language, and the function that selects another one. */
export const LanguageContext = createContext<Choice>({ language: 'en', choose: () => undefined })

/** Provides the language to everything inside. */
export function LanguageProvider({ children }: PropsWithChildren) {
  const [language, setLanguage] = useState(preferred)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const choice = useMemo(
    () => ({
      language,
      choose(next: Language) {
        writeKept('language', next)
        setLanguage(next)
      },
    }),
    [language],
  )
  return <LanguageContext value={choice}>{children}</LanguageContext>
}
