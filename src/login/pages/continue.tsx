/** The moment between two pages of a sign-in: it goes on by itself, or by its link. S6. */
import { Page } from '../../page/page.tsx'

export const ContinuePage = ({ to }: { to: string }) => (
  <Page title="Signing in" goesTo={to}>
    <h1>Signing in</h1>
    <a class="button main" href={to}>
      Continue
    </a>
  </Page>
)
