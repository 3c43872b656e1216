import { AppError, invalidFields } from '../../../errors.ts'
import { recordName } from './proof.ts'

/** `reason` completes a sentence that begins with the domain. */
export const domainRefused = (domain: string, reason: string) => invalidFields({ domain: [`"${domain}" ${reason}`] })

export const domainPresent = (domain: string) => domainRefused(domain, 'is a domain of this site already.')
export const domainTaken = (domain: string) => domainRefused(domain, 'is a domain of a site already.')
export const notADomain = (domain: string) =>
  domainRefused(domain, 'is no host name: its parts have letters, digits and hyphens, and dots between them.')

/** As many texts as are shown of those that were found, and so much of each. */
const textsMax = 3
const lengthMax = 100

export function proofMissing(domain: string, token: string, texts: readonly string[]) {
  const found = texts.slice(0, textsMax).map((text) => JSON.stringify(text.slice(0, lengthMax)))
  const problem =
    texts.length === 0 ? `No TXT record was found at ${recordName(domain)}.` : `${recordName(domain)} has the TXT record ${found.join(', ')}.`
  return invalidFields({ domain: [`${problem} It has to be "${token}". A new record can take some minutes to be seen.`] })
}

export const resolverAway = (domain: string, cause: unknown) =>
  new AppError(
    503,
    { detail: `The DNS could not be asked for the TXT record of ${recordName(domain)}. Try again in a moment.` },
    { headers: { 'Retry-After': '10' }, cause },
  )
