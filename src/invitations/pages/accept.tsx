/** The pages of an invitation: the form that accepts it, and the welcome afterwards. */
import { fullName } from '../../lib/full-name.ts'
import { singleLine } from '../../lib/single-line.ts'
import { Alert, Field, passwordRule } from '../../page/form.tsx'
import { Page } from '../../page/page.tsx'
import type { Permission } from '../../permissions.ts'
import type { Accepted, PublicInvitation } from '../schema.ts'

/** What a permission allows. Each text continues "On the site x you can". */
const abilities: Readonly<Record<Permission, string>> = {
  access_site: 'view apps, tables and records',
  view_site: 'see the site',
  change_site: 'add, change and delete records',
  delete_site: 'delete apps and tables',
  manage_site: 'manage apps, tables and secrets',
  manage_site_users: 'manage who has access',
  admin_site: 'do everything',
}

interface AcceptProps {
  invitation: PublicInvitation & { isKnown: boolean }
  token: string
  code: string
  /** The names that were entered before, if the form is shown again. */
  entered?: { first_name?: string | undefined; last_name?: string | undefined }
  /** The errors by field. Errors of no field are under another name. */
  problems?: Readonly<Record<string, readonly string[]>>
}

const fields = [
  { name: 'first_name', label: 'First name', autocomplete: 'given-name' },
  { name: 'last_name', label: 'Last name', autocomplete: 'family-name' },
  { name: 'password', label: 'Password', autocomplete: 'new-password', type: 'password' },
] as const

/** The form that accepts an invitation. With `problems`, it shows them above the form. */
export function AcceptPage({ invitation, token, code, entered = {}, problems = {} }: AcceptProps) {
  const { organization_name, invited_by_user: inviter, invitee_identifier: email, isKnown } = invitation
  const organization = singleLine(organization_name)
  const inviterName = inviter && singleLine(fullName(inviter) || inviter.username)
  const hasProblems = Object.keys(problems).length > 0
  const firstToEdit = fields.find((field) => problems[field.name])?.name ?? 'first_name'
  return (
    <Page title={hasProblems ? `Not accepted – ${organization}` : `Join ${organization}`}>
      <h1>Join {organization}</h1>
      <p>
        {inviterName ? `${inviterName} (${inviter?.email}) has invited you` : 'You have been invited'}
        {` to join ${organization} as ${email}.`}
      </p>
      <Grants config={invitation.config} />
      {hasProblems ? <Alert id="problem" text={describeProblems(problems)} /> : null}
      <form method="post" action={`/invitations/${token}/`}>
        <input type="hidden" name="code" value={code} />
        {fields.map((field) => (
          <Field
            {...field}
            value={field.name === 'password' ? '' : (entered[field.name] ?? '')}
            hasFocus={field.name === firstToEdit}
            errorId={problems[field.name] && 'problem'}
          />
        ))}
        <p class="hint">
          {passwordRule}
          {isKnown
            ? ' You already have an account with this e-mail address. This password replaces your ' +
              'current one, and you will be signed out everywhere.'
            : ''}
        </p>
        <button type="submit">Accept invitation</button>
      </form>
    </Page>
  )
}

/** Returns the errors as one text. The errors of a field follow its label. */
function describeProblems(problems: NonNullable<AcceptProps['problems']>): string {
  const texts = Object.entries(problems).map(([name, messages]) => {
    const label = fields.find((field) => field.name === name)?.label
    return label ? `${label}: ${messages.join(' ')}` : messages.join(' ')
  })
  return texts.join(' ')
}

/** Lists the groups and the permissions that the invitation grants. */
function Grants({ config: { group, site } }: { config: PublicInvitation['config'] }) {
  if (group.length === 0 && site.length === 0) return null
  return (
    <ul class="grants">
      {group.length > 0 ? (
        <li>
          You will join the {group.length > 1 ? 'groups' : 'group'}{' '}
          {group.map((name) => singleLine(name)).join(', ')}.
        </li>
      ) : null}
      {site.map(({ slug, permissions }) => (
        <li>
          On the site {slug} you {describePermissions(permissions)}.
        </li>
      ))}
    </ul>
  )
}

const describePermissions = (permissions: readonly Permission[]): string =>
  permissions.length > 0
    ? `can ${permissions.map((permission) => abilities[permission]).join('; ')}`
    : 'have no permissions yet'

/** The welcome after accepting. `site` is the slug of a site that the invitation was for, if there is one. */
export const AcceptedPage = ({
  accepted: { organization, user },
  site,
}: {
  accepted: Accepted
  site: string | undefined
}) => (
  <Page title={`Welcome to ${organization.name}`}>
    <h1>Welcome to {organization.name}</h1>
    <p role="status">You are now a member. Sign in as {user.email} with the password that you just chose.</p>
    {site === undefined ? null : (
      <a class="button main" href={`/sites/${site}/accounts/login/`}>
        Sign in to {site}
      </a>
    )}
  </Page>
)
