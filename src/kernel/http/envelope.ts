/**
 * Wraps answers about records in their envelope, unless the request asks only for `data`, by a header or a
 * parameter.
 */
import type { Context, MiddlewareHandler } from 'hono'
import * as z from 'zod'
import type { LongText } from '../db/long-text.ts'
import { invalidFields } from '../errors.ts'
import { booleanOf } from '../lib/boolean-text.ts'
import type { Answer } from './openapi/describe.ts'
import { PreparedResponse } from './route.ts'
import { bodyAround } from './streamed.ts'
import { rejectRequest } from './validate.ts'

/** The query parameter that selects the answer with or without the envelope. */
export const envelopeParameter = '_envelope'

/**
 * The forms of an answer other than a record or a list of records. Each has its own media type. `minimal` has
 * no envelope, because it has no data.
 */
export type Profile = 'aggregate' | 'group' | 'tree' | 'graph' | 'include' | 'minimal'

/** Returns the media type of a form. */
export const mediaTypeOf = (profile: Profile | 'array'): string => `application/json;profile=${profile}`

/** The media type of an answer without its envelope. */
export const bareType = mediaTypeOf('array')

/** The query parameters of every operation that returns records. */
export const envelopeQuery = {
  [envelopeParameter]: z
    .string()
    .optional()
    .meta({
      type: 'boolean',
      description:
        '`true` (the default): the answer is an envelope with `data`. ' +
        '`false`: the answer is the value of `data` alone, ' +
        `as with \`Accept: ${bareType}\`.`,
    }),
}

/** The parts of an answer. */
interface Enveloped {
  /** The value of `data`, as JSON text. */
  data: string
  /** What follows `data`, if it is long. */
  rest?: LongText
  /** The other members of the envelope, as JSON text: each begins with a comma. */
  beside: string
  /**
   * The answer without the envelope, as JSON text. By default `data`; null if the answer needs its envelope.
   */
  bare?: string | null
  /** The form of the answer. Omitted for a record or a list of records. */
  profile?: Profile
}

/** Documents the other forms of an answer, each with its media type. */
export const profileAnswers = (bodies: Partial<Record<Profile, z.ZodType>>): Answer[] =>
  Object.entries(bodies).map(([profile, body]) => ({ body, mediaType: mediaTypeOf(profile as Profile) }))

/** Documents the answer without its envelope. */
export const bareAnswer = (body: z.ZodType): Answer => ({ body, mediaType: bareType })

/**
 * Creates the response, with or without its envelope as the request asks. Throws 400 if it cannot be without
 * it.
 */
export function respond<Status extends 200 | 201>(
  c: Context,
  status: Status,
  { data, rest, beside, bare: bareAnswer = data, profile }: Enveloped,
): PreparedResponse<Status> {
  if (profile === 'minimal')
    return new PreparedResponse(status, c.body(data, status, { 'Content-Type': mediaTypeOf(profile) }))
  if (bareAnswer !== null && wantsBareData(c))
    return new PreparedResponse(
      status,
      c.newResponse(bodyAround(c, bareAnswer, rest, ''), status, { 'Content-Type': bareType }),
    )
  if (bareAnswer === null && booleanOf(c.req.query(envelopeParameter)) === false)
    throw invalidFields({ [envelopeParameter]: [neededEnvelope] })
  const type = profile ? mediaTypeOf(profile) : 'application/json'
  const body = bodyAround(c, `{"data":${data}`, rest, `${beside}}`)
  return new PreparedResponse(status, c.newResponse(body, status, { 'Content-Type': type }))
}

const neededEnvelope = 'include needs the envelope, because its nodes are returned beside the record.'

/** Throws 400 if `_envelope` is neither true nor false. */
export const checkEnvelope: MiddlewareHandler = async (c, next) => {
  if (booleanOf(c.req.query(envelopeParameter) ?? 'true') === undefined)
    await rejectRequest(c, invalidFields({ [envelopeParameter]: ['Must be true or false.'] }))
  await next()
}

/** Tells whether a request wants an answer without the envelope. */
export function wantsBareData(c: Context): boolean {
  const value = c.req.query(envelopeParameter)
  if (value !== undefined) return booleanOf(value) === false
  return (c.req.header('accept') ?? '').split(',').some(isBareType)
}

/**
 * Tells whether one entry of an Accept header asks for an answer without an envelope. An entry with `q=0`
 * does not. Other parameters than those of the media type are ignored.
 */
function isBareType(part: string): boolean {
  const [type = '', ...parameters] = part
    .split(';')
    .map((text) => text.trim().toLowerCase().replaceAll(/[\s"]/g, ''))
  return (
    type === 'application/json' &&
    parameters.includes('profile=array') &&
    !parameters.some((text) => /^q=0(\.0*)?$/.test(text))
  )
}
