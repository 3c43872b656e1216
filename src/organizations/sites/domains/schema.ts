import { z } from 'zod'
import { timestamp } from '../../../http/openapi/bodies.ts'

/** A host name as clients send it, in lower case; with at least two labels. */
const hostName = /^(?=.{4,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/

export const domainInput = z.strictObject({
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .regex(hostName, 'A domain is a host name such as shop.example.com, without a port; other than ASCII letters as punycode.'),
  is_primary: z.boolean().default(false),
})
export type DomainInput = z.infer<typeof domainInput>

export const domain = z.object({ domain: z.string(), is_primary: z.boolean(), created: timestamp }).meta({ id: 'Domain' })
export type Domain = z.infer<typeof domain>
