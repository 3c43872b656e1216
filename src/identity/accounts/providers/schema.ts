/** The query string and the response bodies of the providers with which the caller can sign in. */
import * as z from 'zod'
import { type ListForm, listQuery } from '../../../kernel/http/lists/list.ts'
import { id, timestamp } from '../../../kernel/http/openapi/bodies.ts'

/** The orders and the search of the list. */
export const listForm = {
  orderings: ['id', 'site', 'created', 'last_login'],
  ordering: 'id',
  searched: 'the site, the provider or its name',
} as const satisfies ListForm

/** The query string of the list. */
export const ownProvidersQuery = listQuery(listForm, {})

/** A provider with which the owner of an account can sign in. */
export const ownProvider = z
  .object({
    id: id.describe('The id of the link.'),
    site: z.string().describe("The slug of the provider's site."),
    organization: z.string().describe('The slug of the organization in which the sign-in is valid.'),
    provider: z
      .string()
      .nullable()
      .describe('The name of the provider in paths. Null: the site has removed the ' + 'provider.'),
    name: z.string().nullable().describe('The display name of the provider.'),
    created: timestamp.describe('When the provider was linked.'),
    last_login: timestamp.describe('When it was last used to sign in.'),
  })
  .meta({ id: 'OwnProvider', description: "A provider that can sign in to the caller's account." })
export type OwnProvider = z.infer<typeof ownProvider>
