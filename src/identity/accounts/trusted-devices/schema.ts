/** The query string and the response bodies of trusted devices. */
import * as z from 'zod'
import { type ListForm, listQuery } from '../../../kernel/http/lists/list.ts'
import { id, timestamp } from '../../../kernel/http/openapi/bodies.ts'

/** The orders and the search of the list. */
export const listForm = {
  orderings: ['id', 'created', 'last_used_at', 'expires_at'],
  ordering: '-last_used_at',
  searched: 'the device or the country',
} as const satisfies ListForm

/** The query string of the list. */
export const trustedDevicesQuery = listQuery(listForm, {})

/** A browser that needs no second factor for some days. */
export const trustedDevice = z
  .object({
    id: id.describe('The id of the trusted device.'),
    device: z
      .string()
      .nullable()
      .describe('The program and the operating system, such as `Firefox on Linux`. Null: unknown.'),
    country: z
      .string()
      .nullable()
      .describe('The country where the second factor was used, as a code of two letters.'),
    created: timestamp.describe('When the second factor was used.'),
    last_used_at: timestamp.describe('When the browser last signed in.'),
    expires_at: timestamp.describe('When the trust ends.'),
  })
  .meta({ id: 'TrustedDevice', description: 'A browser that signs in without the second factor.' })
export type TrustedDevice = z.infer<typeof trustedDevice>
