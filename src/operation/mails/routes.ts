/** The operation of /api/mails: the e-mails of functions, for the managers of the site. */
import { signedInOrKey } from '../../kernel/access/credentials.ts'
import { siteManagers } from '../../kernel/access/policies.ts'
import { inTenant } from '../../kernel/db/tenant.ts'
import { pageOf } from '../../kernel/http/lists/envelopes.ts'
import { pageOfItems } from '../../kernel/http/openapi/bodies.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { mail, mailsQuery } from './schema.ts'
import { list, selectMails } from './store.ts'

export const mailRoutes: readonly Route[] = [
  route({
    id: 'listMails',
    summary: 'List the e-mails of functions',
    description:
      'Lists what the functions of the site have sent, and what a paused site has kept. It has no e-mails ' +
      'about accounts: these go to their readers alone.',
    method: 'GET',
    path: '/api/mails',
    auth: signedInOrKey,
    may: siteManagers,
    query: mailsQuery,
    answers: { 200: pageOfItems(mail) },
    handle: async ({ ctx, query, url }) => {
      const page = await inTenant(ctx, 'read', selectMails(query))
      return { 200: pageOf(page, url, list, query, (row) => row) }
    },
  }),
]
