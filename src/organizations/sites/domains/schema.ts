import { z } from 'zod'
import { listQuery } from '../../../http/lists/list.ts'
import { count, timestamp } from '../../../http/openapi/bodies.ts'
import { returnable } from '../../../http/returnable.ts'
import { canonicalHost } from '../../../lib/host-name.ts'
import { list } from './store.ts'

const rule = 'A domain is a host name such as shop.example.com, without a scheme, a port or a path.'

/** In canonical form. Whether a site may have it is decided in service.ts. */
const hostName = z
  .string()
  .trim()
  .transform((text, context) => {
    const host = canonicalHost(text)
    if (host !== undefined && host !== '') return host
    context.addIssue({ code: 'custom', message: rule })
    return z.NEVER
  })

export const domainStatus = z
  .enum(['pending', 'verified'])
  .meta({ description: 'The site answers at `verified` domains alone. A `pending` one waits for its DNS record, for 7 days.' })

export const domain = z
  .object({
    domain: z.string().describe('The host name.'),
    is_primary: z.boolean().describe('Whether addresses of the site are made with it.'),
    status: domainStatus,
    dns_record: z
      .object({
        type: z.literal('TXT').describe('The type of the record.'),
        name: z.string().describe('The name of the record.'),
        value: z.string().describe('The text of the record.'),
      })
      .meta({ description: 'The record that proves the domain. It is looked up daily: leave it in place.' }),
    failures: count.meta({ description: 'Daily look-ups in a row that did not find the record. The seventh removes the domain.' }),
    created: timestamp.describe('When it was added.'),
  })
  .meta({ id: 'Domain', description: 'A domain of a site.' })
export type Domain = z.infer<typeof domain>

export const domainInput = returnable(
  { domain: hostName.meta({ description: 'Names with other letters than ASCII become punycode.' }), is_primary: z.boolean().default(false) },
  domain,
)
export type DomainInput = z.infer<typeof domainInput>

export const domainsQuery = listQuery(list, {})
export type DomainsQuery = z.infer<typeof domainsQuery>
