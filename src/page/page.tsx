/** The frame of every page for people. It works without scripts; what it looks like is src/assets/page.css. */
import type { PropsWithChildren } from 'hono/jsx'

interface Head {
  title: string
  /** Where the browser goes at once, by itself. */
  goesTo?: string
}

export const Page = ({ title, goesTo, children }: PropsWithChildren<Head>) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      {/* Forms say where they come from, to this host alone. */}
      <meta name="referrer" content="same-origin" />
      <meta name="robots" content="noindex" />
      {goesTo === undefined ? null : <meta http-equiv="refresh" content={`0;url=${goesTo}`} />}
      <title>{title}</title>
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href="/page.css" />
    </head>
    <body>
      <main>
        <img class="mark" src="/favicon.svg" alt="" width="40" height="40" />
        {children}
      </main>
    </body>
  </html>
)

/** The text of a page, as it is sent. */
export const asDocument = (page: unknown): string => `<!doctype html>${page}`
