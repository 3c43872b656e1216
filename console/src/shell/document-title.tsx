/** The title of the document, by which people tell tabs, bookmarks and windows apart. */
import { useMatches } from '@tanstack/react-router'
import { use, useEffect } from 'react'
import type { Place } from '../pages/define-place.ts'
import { useTexts } from '../texts/define.ts'
import { LanguageContext } from '../texts/language.tsx'
import { shellTexts } from '../texts/shell.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page at the route. The root and unknown addresses have none. */
    place?: Place
  }
}

/**
 * Sets the title: the page, the site, and the product. The page comes first, because a tab shows only the
 * beginning, and a screen reader begins with it.
 */
export function DocumentTitle({ isOut }: { isOut: boolean }) {
  const texts = useTexts(shellTexts)
  const { language } = use(LanguageContext)
  const match = useMatches({ select: (matches) => matches.at(-1) })
  const parameters: Readonly<Record<string, string>> = match?.params ?? {}
  const place = match?.staticData.place
  const pageTitle = () => {
    if (isOut) return texts.signInTitle
    if (!place) return texts.notFoundTitle
    const title = place.navigation ? place.navigation.label : place.title(parameters)
    return typeof title === 'string' ? title : title[language]
  }
  const title = [pageTitle(), parameters.site ?? [], 'Tessera'].flat().join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
  return null
}
