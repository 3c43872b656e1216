/** The query parameters of operations that change the state of a site. */
import * as z from 'zod'
import { booleanParam } from '../../../../kernel/http/params.ts'

/** The options of deleting a site. */
export const siteDeletion = z.object({
  now: booleanParam
    .default(false)
    .describe('Erase the site at once: it cannot be restored. For superusers, with a recent sign-in.'),
})
export type SiteDeletion = z.infer<typeof siteDeletion>
