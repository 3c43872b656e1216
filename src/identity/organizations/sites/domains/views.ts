/** The JSON of a domain. T8. */
import { recordName } from './proof.ts'
import type { Domain } from './schema.ts'

/** A domain as the statements of store.ts select it. */
export interface DomainRow extends Omit<Domain, 'dns_record'> {
  token: string
}

/** Returns the domain as clients see it, with the DNS record that proves it. */
export const asDomain = ({ domain, is_primary, status, token, failures, created }: DomainRow): Domain => ({
  domain,
  is_primary,
  status,
  dns_record: { type: 'TXT', name: recordName(domain), value: token },
  failures,
  created,
})
