/** The page of the user's own account. It works without scripts. */

import { accountPath, linkPath } from '../../../kernel/page/account-path.ts'
import { Field } from '../../../kernel/page/form.tsx'
import { useTexts } from '../../../kernel/page/language.ts'
import { Page } from '../../../kernel/page/page.tsx'
import { Part, RowForm } from '../../../kernel/page/part.tsx'
import { type Problem, ProblemPart } from '../../../kernel/page/problem.tsx'
import type { OwnOverview } from '../own/overview.ts'
import type { OwnAccount } from '../own/schema.ts'
import type { SignIn } from '../sign-ins/schema.ts'
import { JoinSite } from './join-site.tsx'
import { OfferedSites } from './offered-sites.tsx'
import { accountTexts } from './texts/texts.ts'
import { TrustedDevices } from './trusted-devices.tsx'

interface AccountProps extends OwnOverview {
  /** The prefix of the site's paths: '' or `/sites/<slug>`. */
  mount: string
  /** Whether the page is that of a site, whose providers can be linked. */
  isAtSite: boolean
  /** The result or the error of the last attempt. */
  outcome?: { done: string } | { problem: Problem } | undefined
}

/** The page: each part has its own form. */
export function AccountPage(props: AccountProps) {
  const { mount, isAtSite, account, signIns, hasMore, providers, trustedDevices, offered, outcome } = props
  const { joinable } = props
  const { account: texts, common, factors } = useTexts(accountTexts)
  const hasProblem = outcome !== undefined && 'problem' in outcome
  return (
    <Page title={hasProblem ? `${common.notChanged} – ${common.yourAccount}` : common.yourAccount}>
      <h1>{common.yourAccount}</h1>
      <p class="center">{texts.signedInAs(account.username)}</p>
      <Outcome mount={mount} outcome={outcome} />
      <Deletion mount={mount} account={account} isPlanned />
      <JoinSite mount={mount} site={joinable} />
      <OfferedSites mount={mount} sites={offered} />
      <Person mount={mount} account={account} />
      <Address mount={mount} account={account} />
      <Password mount={mount} />
      <Part title={texts.factors}>
        <p class="aside">
          <a href={`${mount}/accounts/second-factor/`}>{common.yourFactors}</a>
        </p>
        <p class="aside">
          <a href={`${mount}/accounts/passkeys/`}>{factors.yourPasskeys}</a>
        </p>
      </Part>
      <SignIns mount={mount} signIns={signIns} hasMore={hasMore} />
      <TrustedDevices mount={mount} devices={trustedDevices} />
      <Providers mount={mount} isAtSite={isAtSite} providers={providers} />
      <OwnData mount={mount} />
      <Deletion mount={mount} account={account} isPlanned={false} />
      <Part title={texts.signOut}>
        <form method="post" action={`${mount}/accounts/logout/`}>
          <button type="submit" class="button">
            {texts.signOut}
          </button>
        </form>
        <p class="aside">
          <a href="/">{texts.startPage}</a>
        </p>
      </Part>
    </Page>
  )
}

/** Shows the result or the error of the last action. */
function Outcome({ mount, outcome }: Pick<AccountProps, 'mount' | 'outcome'>) {
  if (outcome === undefined) return null
  if ('done' in outcome) return <p role="status">{outcome.done}</p>
  return <ProblemPart mount={mount} problem={outcome.problem} />
}

interface PartProps {
  mount: string
  account: OwnAccount
}

function Person({ mount, account }: PartProps) {
  const { account: texts, common } = useTexts(accountTexts)
  return (
    <Part title={texts.person}>
      <form method="post" action={`${mount}${accountPath}person/`}>
        <Field
          name="first_name"
          label={common.firstName}
          autocomplete="given-name"
          value={account.first_name}
          isOptional
        />
        <Field
          name="last_name"
          label={common.lastName}
          autocomplete="family-name"
          value={account.last_name}
          isOptional
        />
        <Field
          name="preferred_language"
          label={texts.language}
          autocomplete="language"
          value={account.preferred_language ?? ''}
          isOptional
        />
        <button type="submit" class="button">
          {texts.save}
        </button>
      </form>
    </Part>
  )
}

function Address({ mount, account: { email, email_verified, pending_email } }: PartProps) {
  const texts = useTexts(accountTexts).account
  return (
    <Part title={texts.address}>
      <p>{texts.presentAddress(email, email_verified)}</p>
      {pending_email === null ? null : <p>{texts.pendingAddress(pending_email)}</p>}
      <form method="post" action={`${mount}${accountPath}address/`}>
        <Field name="email" label={texts.newAddress} type="email" autocomplete="email" />
        <button type="submit" class="button">
          {texts.changeAddress}
        </button>
      </form>
    </Part>
  )
}

function Password({ mount }: { mount: string }) {
  const { account: texts, common, newPassword } = useTexts(accountTexts)
  return (
    <Part title={common.password}>
      <form method="post" action={`${mount}${accountPath}password/`}>
        <Field
          name="current_password"
          label={texts.currentPassword}
          type="password"
          autocomplete="current-password"
        />
        <Field name="password" label={newPassword.label} type="password" autocomplete="new-password" />
        <p class="hint">
          {common.passwordRule} {texts.passwordHint}
        </p>
        <button type="submit" class="button">
          {texts.changePassword}
        </button>
      </form>
    </Part>
  )
}

function SignIns({
  mount,
  signIns,
  hasMore,
}: {
  mount: string
  signIns: readonly SignIn[]
  hasMore: boolean
}) {
  const texts = useTexts(accountTexts).account
  return (
    <Part title={texts.signIns}>
      {signIns.length === 0 ? <p>{texts.signInLater}</p> : null}
      <ul class="rows">
        {signIns.map(({ id, device, country, last_used_at, is_current }) => {
          const name = `${device ?? texts.unknownDevice}${country === null ? '' : ` (${country})`}`
          return (
            <li>
              <span>
                {name}
                {is_current ? `, ${texts.isCurrent}` : ''}
                <span class="hint">
                  {' '}
                  {texts.lastUsed} <time datetime={last_used_at}>{last_used_at.slice(0, 10)}</time>
                </span>
              </span>
              {is_current ? null : (
                <RowForm
                  action={`${mount}${accountPath}sign-ins/end/`}
                  id={id}
                  text={texts.end}
                  label={texts.endOf(name)}
                />
              )}
            </li>
          )
        })}
      </ul>
      {hasMore ? <p class="hint">{texts.moreSignIns}</p> : null}
      {signIns.length > 1 ? (
        <form method="post" action={`${mount}${accountPath}sign-ins/end-others/`}>
          <button type="submit" class="button">
            {texts.endOthers}
          </button>
        </form>
      ) : null}
    </Part>
  )
}

function Providers({ mount, isAtSite, providers }: Pick<AccountProps, 'mount' | 'isAtSite' | 'providers'>) {
  const texts = useTexts(accountTexts).account
  return (
    <Part title={texts.providers}>
      {providers.length === 0 ? <p>{texts.noProviders}</p> : null}
      <ul class="rows">
        {providers.map(({ id, name, provider, site }) => {
          const shown = `${name ?? provider ?? '?'} (${site})`
          return (
            <li>
              <span>{shown}</span>
              <RowForm
                action={`${mount}${accountPath}providers/unlink/`}
                id={id}
                text={texts.unlink}
                label={texts.unlinkOf(shown)}
              />
            </li>
          )
        })}
      </ul>
      {isAtSite ? (
        <p class="aside">
          <a href={`${mount}${linkPath}`}>{texts.link}</a>
        </p>
      ) : null}
    </Part>
  )
}

/** The button that downloads the user's own data. */
function OwnData({ mount }: { mount: string }) {
  const texts = useTexts(accountTexts).account
  return (
    <Part title={texts.data}>
      <p>{texts.dataHint}</p>
      <form method="post" action={`${mount}${accountPath}export/`}>
        <button type="submit" class="button">
          {texts.loadData}
        </button>
      </form>
    </Part>
  )
}

/** Shows the planned deletion at the top of the page, or the form that plans one at its end. */
function Deletion({ mount, account: { deletes_at }, isPlanned }: PartProps & { isPlanned: boolean }) {
  const texts = useTexts(accountTexts).account
  if ((deletes_at !== null) !== isPlanned) return null
  return (
    <Part title={texts.deletion}>
      <p>{deletes_at === null ? texts.deletionHint : texts.deletes(deletes_at.slice(0, 10))}</p>
      <form method="post" action={`${mount}${accountPath}${deletes_at === null ? 'delete' : 'keep'}/`}>
        <button type="submit" class="button">
          {deletes_at === null ? texts.deletion : texts.keep}
        </button>
      </form>
    </Part>
  )
}
