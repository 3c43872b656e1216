/** The bodies and query parameters of domains. T8. */
import * as z from 'zod'
import { type ListForm, listQuery } from '../../../../kernel/http/lists/list.ts'
import { count, timestamp } from '../../../../kernel/http/openapi/bodies.ts'
import { withReadOnly } from '../../../../kernel/http/with-read-only.ts'
import { canonicalHost } from '../../../../kernel/lib/host-name.ts'

/** The orderings and the search of the list of domains. */
export const listForm = {
  orderings: ['is_primary', 'domain', 'created'],
  ordering: '-is_primary',
  searched: 'the domain',
  isWhole: true,
} as const satisfies ListForm

const rule = 'A domain is a host name such as shop.example.com, without a scheme, a port or a path.'

/** A host name, which is converted to its canonical form. service.ts checks that a site may have it. */
const hostName = z
  .string()
  .trim()
  .transform((text, context) => {
    const host = canonicalHost(text)
    if (host !== undefined && host !== '') return host
    context.addIssue({ code: 'custom', message: rule })
    return z.NEVER
  })

/** The state of the proof. */
export const domainStatus = z.enum(['pending', 'verified']).meta({
  description:
    'The site answers only at `verified` domains. A `pending` domain waits up to 7 days for its DNS record.',
})

/** A domain in an answer. */
export const domain = z
  .object({
    domain: z.string().describe('The host name.'),
    is_primary: z.boolean().describe('Whether it is the primary domain of the site.'),
    status: domainStatus,
    dns_record: z
      .object({
        type: z.literal('TXT').describe('The type of the record.'),
        name: z.string().describe('The name of the record.'),
        value: z.string().describe('The text of the record.'),
      })
      .meta({
        description: 'The DNS record that proves the domain. It is checked every day, so leave it in place.',
      }),
    failures: count.meta({
      description:
        'The number of consecutive daily checks that did not find the record. The seventh removes ' +
        'the domain.',
    }),
    created: timestamp.describe('The time at which the domain was added.'),
  })
  .meta({ id: 'Domain', description: 'A domain of a site.' })
export type Domain = z.infer<typeof domain>

/** The body that adds a domain. */
export const newDomain = withReadOnly(
  {
    domain: hostName.meta({
      description: 'A host name. A name with letters beyond ASCII is converted to punycode.',
    }),
    is_primary: z.boolean().default(false),
  },
  domain,
)
export type NewDomain = z.infer<typeof newDomain>

/** The query parameters of the list of domains. */
export const domainsQuery = listQuery(listForm, {})
export type DomainsQuery = z.infer<typeof domainsQuery>
