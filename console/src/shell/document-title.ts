/** The title of the document, by which people tell tabs, bookmarks and windows apart. */
import { useParams } from '@tanstack/react-router'
import { use, useEffect } from 'react'
import type { Place } from '../pages/define-place.ts'
import { LanguageContext } from '../texts/language.tsx'

/**
 * Sets the title: the page, the site, and the product. The page comes first, because a tab shows only the
 * beginning, and a screen reader begins with it.
 */
export function useDocumentTitle(page: string): void {
  const { site } = useParams({ strict: false }) as { site?: string }
  const title = [page, site ?? [], 'Tessera'].flat().join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}

/** Sets the title of the page at a place, in the language of the user. */
export function usePlaceTitle(place: Place): void {
  const parameters: Readonly<Record<string, string>> = useParams({ strict: false })
  const { language } = use(LanguageContext)
  const page = place.navigation ? place.navigation.label : place.title(parameters)
  useDocumentTitle(typeof page === 'string' ? page : page[language])
}
