/** The page on which a signed-in user links a provider of the site. It works without scripts. */
import { AccountLink } from '../../../kernel/page/account-link.tsx'
import { linkPath } from '../../../kernel/page/account-path.ts'
import { useTexts } from '../../../kernel/page/language.ts'
import { Page } from '../../../kernel/page/page.tsx'
import { type Problem, ProblemPart } from '../../../kernel/page/problem.tsx'
import type { LoginOptions } from '../social-apps/service.ts'
import { Icon } from './icon.tsx'
import { loginTexts } from './texts.ts'

interface LinkProps extends Pick<LoginOptions, 'apps'> {
  /** The prefix of the site's paths: '' or `/sites/<slug>`. */
  mount: string
  /** The error of the last attempt. */
  problem?: Problem | undefined
}

/** The page with a button for each provider. */
export function LinkPage({ mount, apps, problem }: LinkProps) {
  const { common, linking } = useTexts(loginTexts)
  return (
    <Page title={problem ? `${common.notChanged} – ${linking.title}` : linking.title}>
      <h1>{linking.title}</h1>
      {problem ? <ProblemPart mount={mount} problem={problem} /> : null}
      <p>{apps.length === 0 ? linking.none : linking.introduction}</p>
      <ul class="providers">
        {apps.map(({ handle, icon, provider, name }) => (
          <li>
            <form method="post" action={`${mount}${linkPath}`}>
              <input type="hidden" name="provider" value={handle} />
              <button type="submit" class="button">
                <Icon icon={icon} provider={provider} name={name} />
                <span>{linking.link(name)}</span>
              </button>
            </form>
          </li>
        ))}
      </ul>
      <AccountLink mount={mount} />
    </Page>
  )
}
