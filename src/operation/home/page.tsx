/** The start page. It describes the service. For a signed-in user, it shows the account and its sites. */
import type { NamedSite } from '../../identity/organizations/sites/service.ts'
import { useTexts } from '../../kernel/page/language.ts'
import { Page } from '../../kernel/page/page.tsx'
import { homeTexts } from './texts.ts'

/** A signed-in user. */
export interface SignedIn {
  name: string
  username: string
  email: string
  sites: readonly NamedSite[]
  /** Whether there are more sites than the page lists. */
  hasMore: boolean
}

/** The page for visitors who are not signed in. */
export function WelcomePage() {
  const { common, home } = useTexts(homeTexts)
  return (
    <Page title="Tessera">
      <h1>{home.welcome}</h1>
      <p>{home.about}</p>
      <a class="button main" href="/accounts/login/">
        {common.signIn}
      </a>
      <Links />
    </Page>
  )
}

/** The page for a signed-in user. */
export function AccountPage({ name, username, email, sites, hasMore }: SignedIn) {
  const { home } = useTexts(homeTexts)
  return (
    <Page title="Tessera">
      <h1>{name}</h1>
      <p class="center">{home.signedInAs(username, email)}</p>
      <article>
        <h2>{home.sites}</h2>
        {sites.length === 0 ? (
          <p>
            {home.noSite}
            <a href="/docs/guide/organizations-and-sites/">{home.organizations}</a>.
          </p>
        ) : null}
        <ul class="sites">
          {sites.map(({ name: site, slug, organization }) => (
            <li>
              <a href={`/console/${slug}/`}>{site}</a>
              <span class="hint">
                {organization} · <a href={`/sites/${slug}/api/docs/`}>{home.reference}</a> ·{' '}
                <code>/sites/{slug}/api/</code>
              </span>
            </li>
          ))}
        </ul>
        {hasMore ? <p class="hint">{home.moreSites}</p> : null}
      </article>
      <article>
        <h2>{home.account}</h2>
        <p class="aside">
          <a href="/accounts/me/">{home.accountLink}</a>
        </p>
      </article>
      <Links />
      <form method="post" action="/accounts/logout/">
        <button type="submit">{home.signOut}</button>
      </form>
    </Page>
  )
}

const links = [
  ['/console/', 'console'],
  ['/docs/', 'documentation'],
  ['/api/docs/', 'apiReference'],
  ['/healthz', 'health'],
  ['/readyz', 'readiness'],
] as const

function Links() {
  const { home } = useTexts(homeTexts)
  return (
    <ul class="links">
      {links.map(([address, name]) => (
        <li>
          <a href={address}>{home[name]}</a>: {home[`${name}Hint`]}
        </li>
      ))}
    </ul>
  )
}
