/** A time, in the user's time zone and language. */
import { use } from 'react'
import { LanguageContext } from '../texts/language.tsx'

/** Shows a timestamp of the API. */
export function When({ at }: { at: string }) {
  const { language } = use(LanguageContext)
  const text = new Date(at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'medium' })
  return (
    <time dateTime={at} title={at}>
      {text}
    </time>
  )
}
