/** A page of the documentation: its text, or the results of a search, next to the contents. */
import { raw } from 'hono/html'
import type { PropsWithChildren } from 'hono/jsx'
import { Frame } from '../../kernel/page/frame.tsx'
import type { Section } from './markdown.ts'
import { chapters, type DocumentPage, render } from './pages.ts'
import type { Found } from './search.ts'

interface LayoutProps {
  title: string
  /** The page that is shown, if it is one of the documents. */
  current?: DocumentPage
  query?: string
}

export const DocumentView = ({ page }: { page: DocumentPage }) => (
  <Layout title={page.title} current={page}>
    {raw(render(page).html)}
    <p class="source">
      <a href={`/docs/${page.file}`}>This page as Markdown</a>
    </p>
  </Layout>
)

/** Shows the results of a search. */
export const SearchView = ({ query, found }: { query: string; found: readonly Found[] }) => (
  <Layout title={query ? `Search: ${query}` : 'Search'} query={query}>
    <h1>Search</h1>
    <p>{resultLine(query, found.length)}</p>
    <ol class="found">
      {found.map(({ page, heading, address, excerpt }) => (
        <li>
          <a href={address}>{heading === page.title ? heading : `${page.title}: ${heading}`}</a>
          <p>{excerpt}</p>
        </li>
      ))}
    </ol>
  </Layout>
)

function resultLine(query: string, count: number): string {
  if (query === '') return 'Enter one or more words.'
  return count === 0 ? `Nothing matches "${query}".` : `Best matches for "${query}":`
}

const Layout = ({ title, current, query, children }: PropsWithChildren<LayoutProps>) => (
  <Frame title={title} contents={<Contents current={current} />} {...(query === undefined ? {} : { query })}>
    {children}
  </Frame>
)

const Contents = ({ current }: { current: DocumentPage | undefined }) => (
  <nav id="contents" aria-label="Contents">
    {chapters.map(({ title, pages }) => (
      <section>
        <h2>{title}</h2>
        <ul>
          {pages.map((page) => (
            <li>
              <a href={page.address} {...(page === current ? { 'aria-current': 'page' } : {})}>
                {page.title}
              </a>
              {page === current ? <Headings sections={render(page).sections} /> : null}
            </li>
          ))}
        </ul>
      </section>
    ))}
  </nav>
)

const Headings = ({ sections }: { sections: readonly Section[] }) => (
  <ul>
    {sections
      .filter(({ depth }) => depth === 2)
      .map(({ id, heading }) => (
        <li>
          <a href={`#${id}`}>{heading}</a>
        </li>
      ))}
  </ul>
)
