/** What clients see of a domain. T8. */
import { recordName } from './proof.ts'
import type { Domain } from './schema.ts'

export interface DomainRow extends Omit<Domain, 'dns_record'> {
  token: string
}

export const asDomain = ({ domain, is_primary, status, token, failures, created }: DomainRow): Domain => ({
  domain,
  is_primary,
  status,
  dns_record: { type: 'TXT', name: recordName(domain), value: token },
  failures,
  created,
})
