/** The proof that a domain belongs to a site: a TXT record that holds the site's token. T8. */
import type { Config } from '../../../env.ts'
import { withDeadline } from '../../../lib/deadline.ts'
import { textsOf } from '../../../outgoing/resolve.ts'

const prefix = '_tessera.'
const deadlineMs = 5_000

export const recordName = (domain: string): string => `${prefix}${domain}`

/** The record's name may have 253 characters. */
export const domainLengthMax = 253 - prefix.length

/** Returns the texts of the TXT records for a domain. Throws OutgoingFailure if the resolver gives no conclusive answer. */
export const findTexts = ({ DNS_OVER_HTTPS }: Pick<Config, 'DNS_OVER_HTTPS'>, domain: string): Promise<string[]> =>
  withDeadline(deadlineMs, (signal) => textsOf(DNS_OVER_HTTPS, recordName(domain), signal))
