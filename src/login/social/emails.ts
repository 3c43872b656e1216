/** The e-mail that carries a confirmation code. S7. */
import { singleLine } from '../../lib/single-line.ts'
import type { EmailContent } from '../../mail/service.ts'

interface Code {
  code: string
  organization: string
  site: string
}

/** Returns the content of the e-mail. `organization` and `site` are their names for people. */
export const codeEmail = ({ code, organization, site }: Code): EmailContent => ({
  subject: `Your code for ${singleLine(site)}: ${code}`,
  paragraphs: [
    'Hello,',
    `Somebody is signing in to ${singleLine(site)} of ${singleLine(organization)} ` +
      'with your e-mail address. If this is you, enter this code on the page where you are signing in:',
    code,
    'The code is valid for ten minutes. Once you have used it, you can also sign in to ' +
      `${singleLine(organization)} with the provider that you chose. ` +
      'This does not affect other organizations.',
  ],
  footer: 'If you are not signing in, do not give the code to anybody. You can ignore this e-mail.',
})
