/** The start page: what the service is or, for who is signed in, the account and its sites. */
import type { EnterableSite } from '../organizations/sites/service.ts'
import { Page } from '../page/page.tsx'

/** Somebody who is signed in. */
export interface SignedIn {
  name: string
  username: string
  email: string
  sites: readonly EnterableSite[]
  /** Whether there are more sites than are listed. */
  hasMore: boolean
}

/** The page for everybody. */
export const WelcomePage = () => (
  <Page title="Tessera">
    <h1>Tessera is running</h1>
    <p>
      A multi-tenant backend at the edge. Each site of your customers has its own sign-in, tables with a query
      language, secrets, functions and events.
    </p>
    <a class="button main" href="/accounts/login/">
      Sign in
    </a>
    <Links />
  </Page>
)

/** The page for somebody who is signed in. */
export const AccountPage = ({ name, username, email, sites, hasMore }: SignedIn) => (
  <Page title="Tessera">
    <h1>{name}</h1>
    <p class="center">
      Signed in as <b>{username}</b>, {email}
    </p>
    <article>
      <h2>Your sites</h2>
      {sites.length === 0 ? (
        <p>
          You may enter no site yet. Create one, or ask to be invited:{' '}
          <a href="/docs/guide/organizations-and-sites/">Organizations and sites</a>.
        </p>
      ) : null}
      <ul class="sites">
        {sites.map(({ name: site, slug, organization }) => (
          <li>
            <a href={`/sites/${slug}/api/docs/`}>{site}</a>
            <span class="hint">
              {organization} · <code>/sites/{slug}/api/</code>
            </span>
          </li>
        ))}
      </ul>
      {hasMore ? <p class="hint">There are more sites than are listed here.</p> : null}
    </article>
    <article>
      <h2>Your account</h2>
      <p class="aside">
        <a href="/accounts/me/">Names, password, second factors and sign-ins</a>
      </p>
    </article>
    <Links />
    <form method="post" action="/accounts/logout/">
      <button type="submit">Sign out</button>
    </form>
  </Page>
)

const Links = () => (
  <ul class="links">
    <li>
      <a href="/docs/">Documentation</a>, with a guide for each area
    </li>
    <li>
      <a href="/api/docs/">API reference</a>: every operation, to try it here
    </li>
    <li>
      <a href="/healthz">Health</a> and <a href="/readyz">readiness</a> of the service
    </li>
  </ul>
)
