/** The frame of the documentation and of the reference. Its styles are in src/operation/assets/docs.css. */
import type { Child, PropsWithChildren } from 'hono/jsx'

interface FrameProps {
  title: string
  /** The navigation next to the text. */
  contents: Child
  /** The text in the search field. */
  query?: string
  /** The path of the page's script, if it has one. */
  script?: string
}

/** Puts the content of a page into a frame of header, search and navigation. It works without scripts. */
export const Frame = ({ title, contents, query = '', script, children }: PropsWithChildren<FrameProps>) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="referrer" content="same-origin" />
      <title>{`${title} · Tessera`}</title>
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href="/docs.css" />
      {script === undefined ? null : <script src={script} type="module" />}
    </head>
    <body>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header>
        <a class="home" href="/">
          <img src="/favicon.svg" alt="" width="28" height="28" /> Tessera
        </a>
        <a class="to" href="/docs/">
          Documentation
        </a>
        <a class="to" href="/api/docs/">
          API reference
        </a>
        <a class="to to-contents" href="#contents">
          Contents
        </a>
        <search>
          <form action="/docs/search">
            <label for="q">Search</label>
            <input id="q" name="q" type="search" value={query} maxlength={100} />
            <button type="submit">Search</button>
          </form>
        </search>
      </header>
      <main id="content" tabindex={-1}>
        {children}
      </main>
      {contents}
    </body>
  </html>
)
