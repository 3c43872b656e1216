/** A page that continues a sign-in at another address, by itself or by its link. S6. */
import { Page } from '../../page/page.tsx'

/** The page. `to` is a path of this host. */
export const ContinuePage = ({ to }: { to: string }) => (
  <Page title="Signing in" redirectTo={to}>
    <h1>Signing in</h1>
    <a class="button main" href={to}>
      Continue
    </a>
  </Page>
)
