/**
 * The layout of every HTML page for browsers. It works without scripts, except for passkeys. Its styles are
 * in src/operation/assets/page.css.
 */
import type { PropsWithChildren } from 'hono/jsx'
import { useBranding } from './branding.ts'
import { logoPath, stylePath } from './branding-paths.ts'
import { useLanguage } from './language.ts'

interface PageProps {
  title: string
  /** An address that the browser opens at once. */
  redirectTo?: string
  /** The path of the page's script, if it has one. The policy of the page must allow it. */
  script?: string | undefined
}

/** Wraps the content of a page in the document that all pages share. */
export const Page = ({ title, redirectTo, script, children }: PropsWithChildren<PageProps>) => {
  const { branding, mount } = useBranding()
  return (
    <html lang={useLanguage()}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {/* Forms send their origin, which is checked, but only to this host. */}
        <meta name="referrer" content="same-origin" />
        <meta name="robots" content="noindex" />
        {redirectTo === undefined ? null : <meta http-equiv="refresh" content={`0;url=${redirectTo}`} />}
        <title>
          {branding?.name && !title.includes(branding.name) ? `${title} – ${branding.name}` : title}
        </title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/page.css" />
        {branding?.color ? <link rel="stylesheet" href={`${mount}${stylePath(branding.color)}`} /> : null}
        {script === undefined ? null : <script src={script} type="module" />}
      </head>
      <body>
        <main>
          <Mark />
          {children}
        </main>
      </body>
    </html>
  )
}

/** The logo and the name of the site, or the logo of the service. */
function Mark() {
  const { branding, mount } = useBranding()
  if (!branding?.logo && !branding?.name)
    return <img class="mark" src="/favicon.svg" alt="" width="40" height="40" />
  return (
    <p class="brand">
      {branding.logo ? <img src={`${mount}${logoPath(branding.logo)}`} alt="" /> : null}
      {branding.name ? <span>{branding.name}</span> : null}
    </p>
  )
}

export const asDocument = (page: unknown): string => `<!doctype html>${page}`
