/** What the letter with a code says. S7. */
import { inline } from '../../lib/inline.ts'
import type { Wording } from '../../mail/service.ts'

interface Code {
  code: string
  organization: string
  site: string
}

export const codeLetter = ({ code, organization, site }: Code): Wording => ({
  subject: `Your code for ${inline(site)}: ${code}`,
  paragraphs: [
    'Hello,',
    `Somebody is signing in to ${inline(site)} of ${inline(organization)} with your e-mail address. If that is you, enter this code on the page where you are signing in:`,
    code,
    `It is valid for ten minutes. From then on, your account also opens with the provider that you are signing in with, for ${inline(organization)} alone.`,
  ],
  small: 'If you are not signing in, do not give the code to anybody. Without it, nothing happens.',
})
