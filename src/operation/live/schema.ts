/** The bodies of live lists. */
import * as z from 'zod'

/** The most lists of one stream. */
const listsMax = 20

const path = z
  .string()
  .max(8_000)
  .describe('The path of a list or a record in the site, with its query string: `/api/apps/shop/…`.')

/** What `POST /api/live/` takes. */
export const liveBody = z
  .strictObject({
    lists: z
      .record(
        z.string().regex(/^[\w.-]{1,100}$/, 'a name has up to 100 letters, digits, "_", "." and "-"'),
        z.union([
          path,
          z.strictObject({
            path,
            since: z.string().max(200).optional().describe('The `id` of the last event of this list.'),
          }),
        ]),
      )
      .refine((lists) => Object.keys(lists).length > 0, 'name at least one list')
      .refine((lists) => Object.keys(lists).length <= listsMax, `at most ${listsMax} lists`)
      .describe('The lists by names of your own. Each event has the name of its list.'),
  })
  .meta({ id: 'LiveLists' })
