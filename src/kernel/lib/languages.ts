/** The languages of pages and e-mails. */

/** A language in which the service writes. */
export type Language = 'en' | 'de'

const languages: readonly Language[] = ['en', 'de']

/** Longer headers are cut. */
const headerMax = 1000

/**
 * Returns the best supported language for an `Accept-Language` header, such as `de-AT, en;q=0.8`, or for one
 * language, such as `de-AT`. A region is ignored. Null if none is supported.
 */
export function languageOf(header: string | null | undefined): Language | null {
  let best: { language: Language; weight: number } | undefined
  for (const range of (header ?? '').slice(0, headerMax).split(',')) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
    const weight = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1)
    const name = tag.toLowerCase().replace(/-.*$/, '')
    const language = languages.find((each) => each === name)
    if (language && weight > (best?.weight ?? 0)) best = { language, weight }
  }
  return best?.language ?? null
}
