/** The query parameters of operations that change the state of a site. */
import * as z from 'zod'
import { booleanParam } from '../../../../kernel/http/params.ts'

/** The options of deleting a site. */
export const siteDeletion = z.object({
  now: booleanParam
    .default(false)
    .describe(
      'Erase the site at once: it cannot be restored, and its slug is free. Needs a recent sign-in. For ' +
        'owners of a site that has always been a preview or for development, and for superusers.',
    ),
  slug: z
    .string()
    .optional()
    .meta({ description: 'With `now`: the slug of the site once more. Superusers need not send it.' }),
})
export type SiteDeletion = z.infer<typeof siteDeletion>
