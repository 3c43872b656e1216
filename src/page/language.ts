/** Which language a page is in: the one of those we have that the browser likes best. */
import { createContext, useContext } from 'hono/jsx'
import { de } from './texts/de.ts'
import { en, type Texts } from './texts/en.ts'

const languages: ReadonlyMap<string, Texts> = new Map([en, de].map((texts) => [texts.language, texts]))

/** Longer headers are cut. */
const headerMax = 1000

/**
 * Returns the texts in the best language of an `Accept-Language` header, such as `de-AT, en;q=0.8`. A region
 * is ignored. English, if there is no header or no language of it is known.
 */
export function textsFor(header = ''): Texts {
  let best: { texts: Texts; weight: number } | undefined
  for (const range of header.slice(0, headerMax).split(',')) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
    const weight = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1)
    const texts = languages.get(tag.toLowerCase().replace(/-.*$/, ''))
    if (texts && weight > (best?.weight ?? 0)) best = { texts, weight }
  }
  return best?.texts ?? en
}

const TextsContext = createContext<Texts>(en)

/** Puts a page into a language. */
export const InLanguage = TextsContext.Provider

/** Returns the texts of the page that is rendered. Call it in a component. */
export const useTexts = (): Texts => useContext(TextsContext)
