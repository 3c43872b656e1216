/** The pages of an invitation: what it is to, the form that accepts it, and that it was accepted. */
import type { Permission } from '../../access/permissions.ts'
import { fullName } from '../../lib/full-name.ts'
import { inline } from '../../lib/inline.ts'
import { Alert, Field } from '../../page/form.tsx'
import { Page } from '../../page/page.tsx'
import type { Accepted, PublicInvitation } from '../schema.ts'

/** What somebody with a permission may, in a site. */
const words: Readonly<Record<Permission, string>> = {
  access_site: 'read its apps, tables and records',
  view_site: 'see the site',
  change_site: 'write records',
  delete_site: 'delete apps and tables',
  manage_site: 'change apps and tables, and keep secrets',
  manage_site_users: 'say who may do what there',
  admin_site: 'do everything there',
}

interface AcceptProps {
  invitation: PublicInvitation & { isKnown: boolean }
  token: string
  code: string
  entered?: { first_name?: string | undefined; last_name?: string | undefined }
  /** What was wrong, by field. */
  problems?: Readonly<Record<string, readonly string[]>>
}

const fields = [
  { name: 'first_name', label: 'First name', autocomplete: 'given-name' },
  { name: 'last_name', label: 'Last name', autocomplete: 'family-name' },
  { name: 'password', label: 'Password', autocomplete: 'new-password', type: 'password' },
] as const

export function AcceptPage({ invitation, token, code, entered = {}, problems = {} }: AcceptProps) {
  const { organization_name, invited_by_user: inviter, invitee_identifier: email, isKnown } = invitation
  const organization = inline(organization_name)
  const name = inviter && inline(fullName(inviter) || inviter.username)
  const wrong = Object.entries(problems)
  const firstWrong = fields.find((field) => problems[field.name])?.name ?? 'first_name'
  return (
    <Page title={wrong.length > 0 ? `Not accepted – ${organization}` : `Join ${organization}`}>
      <h1>Join {organization}</h1>
      <p>
        {name ? `${name} (${inviter?.email}) invites you` : 'You are invited'} to become a member of {organization}, as {email}.
      </p>
      <What config={invitation.config} />
      {wrong.length > 0 ? <Alert id="problem" text={wrong.flatMap(([, messages]) => messages).join(' ')} /> : null}
      <form method="post" action={`/invitations/${token}/`}>
        <input type="hidden" name="code" value={code} />
        {fields.map((field) => (
          <Field
            {...field}
            value={field.name === 'password' ? '' : (entered[field.name] ?? '')}
            first={field.name === firstWrong}
            wrong={problems[field.name] && 'problem'}
          />
        ))}
        <p class="hint">
          At least 8 characters, with an upper-case letter, a lower-case letter and a digit.
          {isKnown ? ' There is an account with your address already: this becomes its password, and ends where you are signed in.' : ''}
        </p>
        <button type="submit">Accept the invitation</button>
      </form>
    </Page>
  )
}

function What({ config: { group, site } }: { config: PublicInvitation['config'] }) {
  if (group.length === 0 && site.length === 0) return null
  return (
    <ul class="what">
      {group.length > 0 ? (
        <li>
          {group.length > 1 ? 'In the groups' : 'In the group'} {group.map((one) => inline(one)).join(', ')}
        </li>
      ) : null}
      {site.map(({ slug, permissions }) => (
        <li>
          In the site {slug} you may {permissions.length > 0 ? permissions.map((permission) => words[permission]).join('; ') : 'do nothing yet'}.
        </li>
      ))}
    </ul>
  )
}

/** `site`: the slug of one that the invitation was to. */
export const AcceptedPage = ({ accepted: { organization, user }, site }: { accepted: Accepted; site: string | undefined }) => (
  <Page title={`Welcome to ${organization.name}`}>
    <h1>Welcome to {organization.name}</h1>
    <p role="status">
      You are a member now. Sign in as {user.email}, with {site === undefined ? 'your' : 'the'} password.
    </p>
    {site === undefined ? null : (
      <a class="button main" href={`/sites/${site}/accounts/login/`}>
        Go to the sign-in of {site}
      </a>
    )}
  </Page>
)
