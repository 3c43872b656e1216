/** The login page: whom to sign in with, and the form for a password. S6. */
import { Alert, Field } from '../../page/form.tsx'
import { Page } from '../../page/page.tsx'
import type { LoginOptions } from '../social-apps/service.ts'
import { Icon } from './icon.tsx'

interface LoginProps extends LoginOptions {
  /** Where the site's pages stand: '' or `/sites/<slug>`. */
  mount: string
  /** Where the browser goes afterwards: a path. */
  next: string
  /** What was entered before. */
  username?: string
  problem?: string | undefined
}

export const LoginPage = ({ siteName, apps, mount, next, username = '', problem }: LoginProps) => (
  <Page title={problem ? `Not signed in – ${siteName}` : `Sign in – ${siteName}`}>
    <h1>Sign in to {siteName}</h1>
    {problem ? <Alert id="problem" text={problem} /> : null}
    {apps.length > 0 ? (
      <>
        <ul class="providers">
          {apps.map((app) => (
            <li>
              <a class="button" href={`${mount}/accounts/${app.handle}/login/?next=${encodeURIComponent(next)}`}>
                <Icon icon={app.icon} provider={app.provider} name={app.name} />
                <span>Continue with {app.name}</span>
              </a>
            </li>
          ))}
        </ul>
        <p class="or">or</p>
      </>
    ) : null}
    <form method="post" action={`${mount}/accounts/login/`}>
      <input type="hidden" name="next" value={next} />
      <Field name="username" label="User name or e-mail" autocomplete="username" value={username} first={!username} wrong={problem && 'problem'} />
      <Field
        name="password"
        label="Password"
        type="password"
        autocomplete="current-password"
        first={Boolean(username)}
        wrong={problem && 'problem'}
      />
      <button type="submit">Sign in</button>
    </form>
  </Page>
)
