/** The proof that a domain belongs to a site: a TXT record with the site's token. T8. */
import type { Config } from '../../../../kernel/env.ts'
import { withDeadline } from '../../../../kernel/lib/deadline.ts'
import { textsOf } from '../../../../kernel/outgoing/resolve.ts'

const prefix = '_tessera.'
const deadlineMs = 5_000

/** Returns the name of the TXT record for a domain. */
export const recordName = (domain: string): string => `${prefix}${domain}`

/** The most characters of a domain: the name of its record may have 253. */
export const domainLengthMax = 253 - prefix.length

/**
 * Looks up the TXT records for a domain. Returns their texts, or none if there is no record. Throws
 * OutgoingFailure if the resolver gives no conclusive answer within 5 s.
 */
export const findTexts = (
  { DNS_OVER_HTTPS }: Pick<Config, 'DNS_OVER_HTTPS'>,
  domain: string,
): Promise<string[]> =>
  withDeadline(deadlineMs, (signal) => textsOf(DNS_OVER_HTTPS, recordName(domain), signal))
