/** The errors of domains. T8. */
import type { ErrorCode } from '../../../../kernel/error-codes.ts'
import { AppError, invalidFields } from '../../../../kernel/errors.ts'
import { recordName } from './proof.ts'

/**
 * The 400 for a domain that a site cannot have. `reason` continues a sentence that begins with the domain.
 */
export const domainRejected = (domain: string, reason: string, code?: ErrorCode) =>
  invalidFields({ domain: [`"${domain}" ${reason}`] }, code)

/** The 400 if the site already has the domain, pending or verified. */
export const domainAlreadyAdded = (domain: string) =>
  domainRejected(domain, 'is already a domain of this site.', 'already_exists')

/** The 400 for a domain that is verified for another site. */
export const domainTaken = (domain: string) =>
  domainRejected(domain, 'is already a domain of another site.', 'already_exists')

/** The 400 if the domain cannot have DNS records. */
export const invalidDomain = (domain: string) =>
  domainRejected(
    domain,
    'is not a valid host name. Its parts have letters, digits and hyphens, and are separated by dots.',
  )

/** The maximum number of found TXT records that a message quotes, and of characters of each. */
const recordsMax = 3
const lengthMax = 100

/** The 400 for a TXT record without the token. `texts` are the records that were found instead. */
export function proofMissing(domain: string, token: string, texts: readonly string[]) {
  const name = recordName(domain)
  const quoted = texts.slice(0, recordsMax).map((text) => JSON.stringify(text.slice(0, lengthMax)))
  const problem =
    texts.length === 0
      ? `There is no TXT record at ${name}.`
      : `The TXT record at ${name} has another value: ${quoted.join(', ')}.`
  return invalidFields(
    {
      domain: [
        `${problem} Add a TXT record with the value "${token}". A new record can take a few minutes to show.`,
      ],
    },
    'domain_not_proved',
  )
}

/** The 503 if the DNS resolver did not answer. `cause` is logged. */
export const resolverUnavailable = (domain: string, cause: unknown) =>
  new AppError(
    503,
    'unavailable',
    {
      detail: `The TXT record at ${recordName(domain)} could not be looked up. Try again in a moment.`,
    },
    { headers: { 'Retry-After': '10' }, cause },
  )
