/** The answer to whoever follows a list. */
import * as z from 'zod'
import type { Answer } from './openapi/describe.ts'

export const eventType = 'text/event-stream'

/** The text of the stream; tools that read events compare each of them. */
const events = z
  .union([z.string(), z.looseObject({ event: z.string().optional(), data: z.string().optional() })])
  .describe(
    'Server-sent events. `list`: the whole answer. `change`: `{entered: [{at, record}], left: [key], ' +
      'changed: [record], order?: [key]}` with the other members of the answer. `ready`: `{key: [name]}`: ' +
      'all that was missed is sent; ' +
      'these are the fields of a key. `pace`: `{interval_ms}`. `end`: `{code}`.',
  )
  .meta({ id: 'LiveEvents' })

const example =
  'event: list\nid: 8f2c-1\ndata: {"data":[{"id":1,"name":"Saw"}],"total":1}\n\n' +
  'event: change\nid: 8f2c-2\n' +
  'data: {"entered":[],"left":[],"changed":[{"id":1,"name":"Hammer"}],"total":1}\n\n'

/** The stream of a list, with `Accept: text/event-stream`. */
export const liveAnswer = { body: events, mediaType: eventType, example } satisfies Answer

/** Ends a request after its entry, because it only asks whether a list may be followed. */
export class MayFollow extends Error {}
