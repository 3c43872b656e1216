/** Builds the links of e-mails. */
import { publicBase } from '../../kernel/http/hosts.ts'
import { MailFailure, type Sender } from './transports/transport.ts'

/**
 * Returns the address of one of the service's own pages, for a link in an e-mail. It uses the configuration,
 * because the host of a request can be forged. Throws MailFailure if neither PUBLIC_URL nor BASE_DOMAIN is
 * set.
 */
export function publicUrl({ config }: Sender, path: string): string {
  const base = publicBase(config)
  if (!base) throw new MailFailure('neither PUBLIC_URL nor BASE_DOMAIN is set: there is no host for links')
  return new URL(path, base).href
}
