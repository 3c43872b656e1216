/** The pages of an invitation: the form that accepts it, and the welcome afterwards. */
import { fullName } from '../../../kernel/lib/full-name.ts'
import { singleLine } from '../../../kernel/lib/single-line.ts'
import { Alert, Field } from '../../../kernel/page/form.tsx'
import { useTexts } from '../../../kernel/page/language.ts'
import { Page } from '../../../kernel/page/page.tsx'
import type { Accepted, PublicInvitation } from '../schema.ts'
import { type InvitationTexts, invitationTexts } from './texts.ts'

interface AcceptProps {
  invitation: PublicInvitation & { isKnown: boolean }
  token: string
  code: string
  /** The names that were entered before, if the form is shown again. */
  entered?: { first_name?: string | undefined; last_name?: string | undefined }
  /** The errors by field. Errors that concern no field have another name. */
  problems?: Readonly<Record<string, readonly string[]>>
}

const fields = [
  { name: 'first_name', label: 'firstName', autocomplete: 'given-name' },
  { name: 'last_name', label: 'lastName', autocomplete: 'family-name' },
  { name: 'password', label: 'password', autocomplete: 'new-password', type: 'password' },
] as const

/** The form that accepts an invitation. With `problems`, it shows them above the form. */
export function AcceptPage({ invitation, token, code, entered = {}, problems = {} }: AcceptProps) {
  const texts = useTexts(invitationTexts)
  const { organization_name, invited_by_user: inviter, invitee_identifier: email, isKnown } = invitation
  const organization = singleLine(organization_name)
  const inviterName = inviter && singleLine(fullName(inviter) || inviter.username)
  const hasProblems = Object.keys(problems).length > 0
  const firstToEdit = fields.find((field) => problems[field.name])?.name ?? 'first_name'
  return (
    <Page
      title={hasProblems ? texts.invitation.notAccepted(organization) : texts.invitation.title(organization)}
    >
      <h1>{texts.invitation.title(organization)}</h1>
      <p>
        {inviter && inviterName
          ? texts.invitation.byInviter(inviterName, inviter.email, organization, email)
          : texts.invitation.byNobody(organization, email)}
      </p>
      <Grants config={invitation.config} />
      {hasProblems ? <Alert id="problem" text={describeProblems(problems, texts)} /> : null}
      <form method="post" action={`/invitations/${token}/`}>
        <input type="hidden" name="code" value={code} />
        {fields.map((field) => (
          <Field
            {...field}
            label={texts.common[field.label]}
            value={field.name === 'password' ? '' : (entered[field.name] ?? '')}
            hasFocus={field.name === firstToEdit}
            errorId={problems[field.name] && 'problem'}
          />
        ))}
        <p class="hint">
          {texts.common.passwordRule}
          {isKnown ? ` ${texts.invitation.replacesPassword}` : ''}
        </p>
        <button type="submit">{texts.invitation.accept}</button>
      </form>
    </Page>
  )
}

/** Returns the errors as one text. The errors of a field follow its label. */
function describeProblems(problems: NonNullable<AcceptProps['problems']>, texts: InvitationTexts): string {
  const sentences = Object.entries(problems).map(([name, messages]) => {
    const label = fields.find((field) => field.name === name)?.label
    const text = messages.map(texts.message).join(' ')
    return label ? `${texts.common[label]}: ${text}` : text
  })
  return sentences.join(' ')
}

/** Lists the groups and the permissions that the invitation grants. */
function Grants({ config: { group, site } }: { config: PublicInvitation['config'] }) {
  const texts = useTexts(invitationTexts).invitation
  if (group.length === 0 && site.length === 0) return null
  return (
    <ul class="grants">
      {group.length > 0 ? <li>{texts.groups(group.map((name) => singleLine(name)))}</li> : null}
      {site.map(({ slug, permissions, roles = [] }) => (
        <>
          {permissions.length > 0 || roles.length === 0 ? <li>{texts.site(slug, permissions)}</li> : null}
          {roles.length > 0 ? <li>{texts.siteRoles(slug, roles)}</li> : null}
        </>
      ))}
    </ul>
  )
}

/** The welcome after accepting. `site` is the slug of a site that the invitation was for, if there is one. */
export function AcceptedPage({
  accepted: { organization, user },
  site,
}: {
  accepted: Accepted
  site: string | undefined
}) {
  const texts = useTexts(invitationTexts).invitation
  return (
    <Page title={texts.welcome(organization.name)}>
      <h1>{texts.welcome(organization.name)}</h1>
      <p role="status">{texts.accepted(user.email)}</p>
      {site === undefined ? null : (
        <a class="button main" href={`/sites/${site}/accounts/login/`}>
          {texts.signInTo(site)}
        </a>
      )}
    </Page>
  )
}
