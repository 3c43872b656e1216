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
        z.string().min(1).max(100),
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

/** The text of the stream. */
export const events = z
  .string()
  .describe(
    'Server-sent events. `list`: the whole answer. `change`: `{entered: [{at, record}], left: [key], changed: ' +
      '[record], order?: [key], total?}`. `ready`: `{key: [name]}`: all that was missed is sent; these are the fields of a key. `end`: `{code}`.',
  )
  .meta({ id: 'LiveEvents' })

export const eventsExample =
  'event: list\nid: 8f2c-1\ndata: {"data":[{"id":1,"name":"Saw"}],"total":1}\n\n' +
  'event: change\nid: 8f2c-2\ndata: {"entered":[],"left":[],"changed":[{"id":1,"name":"Hammer"}],"total":1}\n\n'
