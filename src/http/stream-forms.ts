/** The forms of a list that come as a stream of lines, and which of them an Accept header asks for. */
import { parseAccept } from 'hono/utils/accept'
import { attachment } from './attachment.ts'

/** The media type of each form. */
export const streamTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

/** A form of a stream. */
export type StreamForm = keyof typeof streamTypes

const formOf = new Map(
  Object.entries(streamTypes).map(([form, type]) => [type as string, form as StreamForm]),
)

/** The media ranges that JSON is in, the most specific one first. */
const jsonRanges = ['application/json', 'application/*', '*/*']

/**
 * Returns the form that an Accept header asks for. Undefined: JSON. A stream has to be named, and no form may
 * be wanted more. Of forms that are wanted alike the first one counts, and one that is named before JSON that
 * is only in a range.
 */
export function streamFormOf(accept: string | undefined): StreamForm | undefined {
  const ranges = parseAccept(accept ?? '').map(({ type, q }) => ({ type: type.toLowerCase(), q }))
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
