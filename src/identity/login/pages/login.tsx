/** The login page: a button for each provider, and the form for a password. S6. */

import { useBranding } from '../../../kernel/page/branding.ts'
import { Alert, Field } from '../../../kernel/page/form.tsx'
import { useTexts } from '../../../kernel/page/language.ts'
import { Page } from '../../../kernel/page/page.tsx'
import { PasskeyPart, passkeyScript } from '../../../kernel/page/passkey.tsx'
import type { LoginOptions } from '../social-apps/service.ts'
import { Icon } from './icon.tsx'
import { loginTexts } from './texts.ts'

interface LoginProps extends LoginOptions {
  /** The prefix of the site's paths: '' or `/sites/<slug>`. */
  mount: string
  /** The path that the browser opens afterwards. */
  next: string
  /** The user name of the last attempt. */
  username?: string
  /** The error of the last attempt. */
  problem?: string | undefined
  /** Whether passkeys work on this host. */
  hasPasskeys: boolean
}

/** The page with the buttons and the form. */
export function LoginPage({
  siteName: nameOfSite,
  takesSignUps,
  apps,
  mount,
  next,
  username = '',
  problem,
  hasPasskeys,
}: LoginProps) {
  const { common, login } = useTexts(loginTexts)
  const siteName = useBranding().branding?.name ?? nameOfSite
  return (
    <Page
      title={problem ? login.titleWithProblem(siteName) : login.title(siteName)}
      script={hasPasskeys ? passkeyScript : undefined}
    >
      <h1>{login.heading(siteName)}</h1>
      {problem ? <Alert id="problem" text={problem} /> : null}
      {apps.length > 0 ? (
        <>
          <ul class="providers">
            {apps.map((app) => (
              <li>
                <a
                  class="button"
                  href={`${mount}/accounts/${app.handle}/login/?next=${encodeURIComponent(next)}`}
                >
                  <Icon icon={app.icon} provider={app.provider} name={app.name} />
                  <span>{login.continueWith(app.name)}</span>
                </a>
              </li>
            ))}
          </ul>
          <p class="or">{common.or}</p>
        </>
      ) : null}
      <form method="post" action={`${mount}/accounts/login/`}>
        <input type="hidden" name="next" value={next} />
        <Field
          name="username"
          label={login.username}
          autocomplete="username"
          value={username}
          hasFocus={!username}
          errorId={problem && 'problem'}
        />
        <Field
          name="password"
          label={common.password}
          type="password"
          autocomplete="current-password"
          hasFocus={Boolean(username)}
          errorId={problem && 'problem'}
        />
        <button type="submit">{common.signIn}</button>
      </form>
      {hasPasskeys ? <PasskeyPart mount={mount} next={next} /> : null}
      <p class="aside">
        <a href={`${mount}/accounts/password/reset/`}>{login.forgotPassword}</a>
      </p>
      {takesSignUps ? (
        <p class="aside">
          <a href={`${mount}/accounts/sign-up/`}>{login.signUp}</a>
        </p>
      ) : null}
    </Page>
  )
}
