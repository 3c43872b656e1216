/** The code that needs the XML packages. The first sign-in that needs it loads it. */
import type { OutgoingConfig } from '../../../kernel/outgoing/fetch.ts'
import type { Person } from '../providers/provider.ts'
import { type Expected, requireValid, type Validity } from './conditions.ts'
import { readMetadata, type SamlMetadata } from './metadata.ts'
import { personOf } from './person.ts'
import { readResponse } from './response.ts'
import type { SamlSettings } from './schema.ts'
import { signRequest } from './sign-request.ts'

/** A person by a valid assertion. */
export interface Asserted extends Validity {
  person: Person
}

/**
 * Reads and checks the form field of a response. Throws SamlProblem for a rejected response, and
 * SamlCancelled if the provider has not signed the person in.
 */
export function judge(
  field: string,
  certificates: readonly string[],
  expected: Expected,
  { attributes }: SamlSettings,
): Asserted {
  const read = readResponse(field, certificates)
  return { ...requireValid(read, expected), person: personOf(read.assertion, attributes) }
}

/** Reads the metadata of a provider. Throws an Error that says why it cannot be used. */
export const parseMetadata = (config: OutgoingConfig, document: string): SamlMetadata =>
  readMetadata(config, document)

export { signRequest }
