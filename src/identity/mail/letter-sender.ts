/**
 * The organization that has caused an e-mail, and the address at which the reader stops such e-mails. It
 * works without an account: it names the organization and a hash of the mailbox, and only the service can
 * make it.
 */
import { seal, unseal } from '../../kernel/access/derived-keys.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { LetterName } from './letter-name.ts'
import type { Letters } from './letters/en.ts'
import { publicUrl } from './public-url.ts'
import type { Sender } from './transports/transport.ts'

/** The path of the page that stops e-mails of an organization. */
export const stopPath = '/accounts/emails/stop/'

/** An organization, and a mailbox that gets its e-mails. */
export interface Stop {
  organizationId: number
  /** public.mailbox_of the address. */
  mailbox: string
}

/** What a token allows. */
export interface StopToken extends Stop {
  /** Whether it allows the e-mails again, too. */
  canAllow: boolean
}

/** The organization that has caused an e-mail. */
export interface LetterSender extends Stop {
  organization: string
  slug: string
}

/** The columns of a LetterSender, from `public.organizations o`, for an e-mail to an address. */
export const senderColumns = (address: Sql): Sql => sql`
  o.id as "organizationId", o.name as organization, o.slug, public.mailbox_of(${address}) as mailbox`

const binding = ['stop']
/** The binding of tokens in e-mails that a mail server of the organization has seen: it may not allow them. */
const stopsOnly = ['only stop']

/**
 * Returns the last lines of an e-mail: who had it sent, and the address that stops e-mails of this sender.
 * `isSeen`: the organization sees the e-mail.
 */
export async function senderOf(sender: Sender, letters: Letters, row: LetterSender, isSeen = false) {
  const { organizationId, mailbox, organization, slug } = row
  const token = await seal(
    sender.config,
    'letters',
    isSeen ? stopsOnly : binding,
    `${organizationId} ${mailbox}`,
  )
  return {
    text: letters.sentBy({ organization: LetterName.forAnybody(organization, slug), slug }),
    stopUrl: publicUrl(sender, `${stopPath}?token=${token}`),
  }
}

/** Returns what a token names. Undefined for a text that is not a token. */
export async function readStop(config: Sender['config'], token: string): Promise<StopToken | undefined> {
  const full = await unseal(config, 'letters', binding, token)
  const text = full ?? (await unseal(config, 'letters', stopsOnly, token))
  const [id, mailbox] = text?.split(' ') ?? []
  if (id === undefined || mailbox === undefined) return undefined
  return { organizationId: Number(id), mailbox, canAllow: full !== undefined }
}
