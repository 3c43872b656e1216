/** The forms in which a list is a stream of lines, and the choice of a form by the Accept header. */
import { parseAccept } from 'hono/utils/accept'
import { attachment } from './attachment.ts'

/** The media type of each form. */
export const streamTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

export type StreamForm = keyof typeof streamTypes

const formOf = new Map(
  Object.entries(streamTypes).map(([form, type]) => [type as string, form as StreamForm]),
)

/** Longer headers are cut. */
const headerMax = 4_000

/** The media ranges that contain JSON, the most specific one first. */
const jsonRanges = ['application/json', 'application/*', '*/*']

/**
 * Returns the form that an Accept header selects; undefined means JSON. The header must name the stream, and
 * must not prefer JSON to it: JSON is preferred if its q is higher, or if `application/json` comes first. Of
 * several streams, the first one counts.
 */
export function streamFormOf(accept: string | undefined): StreamForm | undefined {
  const ranges = parseAccept((accept ?? '').slice(0, headerMax)).map(({ type, q }) => ({
    type: type.toLowerCase(),
    q,
  }))
  const named = ranges.findIndex(({ type, q }) => q > 0 && formOf.has(type))
  const stream = ranges[named]
  if (!stream) return undefined
  const json = jsonRanges.map((range) => ranges.findIndex(({ type }) => type === range)).find((at) => at >= 0)
  const rival = json === undefined ? undefined : ranges[json]
  const isNamed = rival?.type === jsonRanges[0]
  const isBehind = rival !== undefined && (rival.q > stream.q || (isNamed && (json as number) < named))
  return isBehind ? undefined : formOf.get(stream.type)
}

/** Returns the headers of a stream that is saved as a file. `name` is the file name without its extension. */
export const streamHeaders = (form: StreamForm, name: string): Record<string, string> => ({
  'Content-Type': form === 'csv' ? `${streamTypes.csv}; charset=utf-8; header=present` : streamTypes[form],
  'Content-Disposition': attachment(`${name}.${form}`),
})
