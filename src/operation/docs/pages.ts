/** The pages of the documentation, as docs/README.md lists them. */
import { type Rendered, renderMarkdown } from './markdown.ts'
import { texts } from './texts.ts'

export interface DocumentPage {
  /** The file below docs/, for example guide/queries.md. */
  file: string
  /** The path at which the service shows it, for example /docs/guide/queries/. */
  address: string
  title: string
  /** One line that describes the page; empty for the table of contents. */
  description: string
  markdown: string
}

export interface Chapter {
  title: string
  pages: readonly DocumentPage[]
}

const contentsFile = 'README.md'
const contentsText = texts.get(contentsFile) ?? ''

const addressOf = (file: string): string =>
  file === contentsFile ? '/docs/' : `/docs/${file.replace(/\.md$/, '')}/`

/** The table of contents: a chapter for each heading, a page for each line of its list. */
export const chapters: readonly Chapter[] = contentsText
  .split(/^## /m)
  .slice(1)
  .map((chapter) => ({
    title: chapter.slice(0, chapter.indexOf('\n')),
    pages: [...chapter.matchAll(/^- \[(.+?)\]\((.+?\.md)\): (.+)$/gm)].flatMap(
      ([, title, file, description]) =>
        title && file && description
          ? [{ file, address: addressOf(file), title, description, markdown: texts.get(file) ?? '' }]
          : [],
    ),
  }))

export const contents: DocumentPage = {
  file: contentsFile,
  address: addressOf(contentsFile),
  title: 'Documentation',
  description: '',
  markdown: contentsText,
}

/** All pages in the order of the contents. */
export const pages: readonly DocumentPage[] = [contents, ...chapters.flatMap((chapter) => chapter.pages)]

const rendered = new Map<string, Rendered>()

/** Renders a page once in the life of an isolate. */
export function render(page: DocumentPage): Rendered {
  const known = rendered.get(page.file)
  if (known) return known
  const made = renderMarkdown(page.markdown, {
    ofLink: (target) => linkFrom(page.file, target),
    ofImage,
  })
  rendered.set(page.file, made)
  return made
}

/** Returns the address that a link of a file leads to; undefined for files that are not pages. */
function linkFrom(file: string, target: string): string | undefined {
  if (/^https?:|^#/.test(target)) return target
  const { pathname, hash } = new URL(target, `file:///docs/${file}`)
  const page = pages.find((one) => pathname === `/docs/${one.file}`)
  return page && `${page.address}${hash}`
}

/** Returns the address of a drawing among the static files. */
function ofImage(target: string): string | undefined {
  const [, name] = /\/src\/operation\/assets\/([\w-]+\.svg)$/.exec(target) ?? []
  return name && `/${name}`
}
