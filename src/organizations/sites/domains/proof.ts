/** The proof that a domain is a site's: a TXT record of its name holds the site's token. T8. */
import type { Config } from '../../../env.ts'
import { withDeadline } from '../../../lib/deadline.ts'
import { textsOf } from '../../../outgoing/resolve.ts'

const prefix = '_tessera.'
const deadlineMs = 5_000

export const recordName = (domain: string): string => `${prefix}${domain}`

/** Names of the DNS have 253 characters at most. */
export const domainLengthMax = 253 - prefix.length

/** What the record's name holds in the DNS: the proof is found if the token is among it. Throws OutgoingFailure if nobody can say. */
export const findTexts = ({ DNS_OVER_HTTPS }: Pick<Config, 'DNS_OVER_HTTPS'>, domain: string): Promise<string[]> =>
  withDeadline(deadlineMs, (signal) => textsOf(DNS_OVER_HTTPS, recordName(domain), signal))
