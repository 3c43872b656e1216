/** Searches the documentation for sections that contain every word. Words in headings count most. */
import { contents, type DocumentPage, pages, render } from './pages.ts'

export interface Found {
  page: DocumentPage
  heading: string
  /** The address of the section. */
  address: string
  /** A part of the section around the first word that was found. */
  excerpt: string
}

const wordsMax = 8
const foundMax = 20
const excerptLength = 160

interface Indexed extends Omit<Found, 'excerpt'> {
  text: string
  words: { title: string; heading: string; text: string }
}

let index: readonly Indexed[] | undefined

/** Returns the pages that have all words of a query, the best match first. */
export function search(query: string): Found[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, wordsMax)
  if (words.length === 0) return []
  index ??= indexed()
  return index
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, foundMax)
    .map(({ section: { page, heading, address, text } }) => ({
      page,
      heading,
      address,
      excerpt: excerptOf(text, words),
    }))
}

const indexed = (): Indexed[] =>
  pages
    .filter((page) => page !== contents)
    .flatMap((page) =>
      render(page).sections.map(({ id, heading, text }) => ({
        page,
        heading: heading || page.title,
        address: id ? `${page.address}#${id}` : page.address,
        text: text.replace(/\s+/g, ' ').trim(),
        words: {
          title: page.title.toLowerCase(),
          heading: heading.toLowerCase(),
          text: text.toLowerCase(),
        },
      })),
    )

/** Returns 0 if a word is missing. A word in the heading counts most, then one in the page's title. */
function scoreOf({ words: { title, heading, text } }: Indexed, words: readonly string[]): number {
  let score = 0
  for (const word of words) {
    const inHeading = heading.includes(word)
    const inTitle = title.includes(word)
    if (!inHeading && !inTitle && !text.includes(word)) return 0
    score += (inHeading ? 10 : 0) + (inTitle ? 5 : 0) + (text.includes(word) ? 1 : 0)
  }
  return score
}

function excerptOf(text: string, words: readonly string[]): string {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0)
  const start = Math.max(0, Math.min(text.length, ...places) - excerptLength / 4)
  const excerpt = text.slice(start, start + excerptLength)
  return `${start > 0 ? '… ' : ''}${excerpt}${start + excerptLength < text.length ? ' …' : ''}`
}
