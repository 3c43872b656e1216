/** Whether an answer about records stands in its envelope. Clients that want `data` alone ask for it by a header or by a parameter. */
import type { Context, MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { invalidFields } from '../errors.ts'
import { described } from './openapi/describe.ts'
import { refuseWith } from './validate.ts'

export const envelopeParameter = '_envelope'

/** The forms of an answer about records that are no list of records and no record: each is a media type of its own. */
export type Profile = 'aggregate' | 'group' | 'tree' | 'graph' | 'include'

/** The media type of a form. */
export const typeOf = (profile: Profile | 'array'): string => `application/json;profile=${profile}`

/** The media type of an answer without its envelope. */
export const bareType = typeOf('array')

/** Of every operation that answers records. */
export const envelopeQuery = {
  [envelopeParameter]: z
    .string()
    .optional()
    .meta({ type: 'boolean', description: `\`false\`: the answer is what \`data\` has, as with \`Accept: ${bareType}\`. \`true\` when omitted.` }),
}

/** What an answer has. */
interface Enveloped {
  /** The text of the JSON that stands under `data`. */
  data: string
  /** The members that stand beside it, each with a comma before it. */
  beside: string
  /** What is answered without the envelope, where that is not `data`; null if there is no such answer. */
  bare?: string | null
  /** Its form. Omitted: records, or a record. */
  profile?: Profile
}

/** Documents the other forms of an answer, each as a media type. */
export const profileAnswers = (status: 200, bodies: Partial<Record<Profile, z.ZodType>>): MiddlewareHandler => {
  const answers = Object.entries(bodies).map(([profile, body]) => ({ body, mediaType: typeOf(profile as Profile) }))
  return described((_c, next) => next(), { answers: { [status]: answers } })
}

/** Documents the answer without its envelope beside the other one. */
export const bareAnswer = (status: 200 | 201, body: z.ZodType): MiddlewareHandler =>
  described((_c, next) => next(), { answers: { [status]: { body, mediaType: bareType } } })

/** The response of a request, in the form that the request asks for. */
export function respond(c: Context, { data, beside, bare = data, profile }: Enveloped, status: 200 | 201 = 200): Response {
  if (bare !== null && wantsBare(c)) return c.body(bare, status, { 'Content-Type': bareType })
  if (bare === null && c.req.query(envelopeParameter) === 'false') throw invalidFields({ [envelopeParameter]: [neededEnvelope] })
  return c.body(`{"data":${data}${beside}}`, status, { 'Content-Type': profile ? typeOf(profile) : 'application/json' })
}

const neededEnvelope = 'include answers nodes beside the record: they have no place without the envelope.'

/** Refuses a parameter that is neither true nor false. */
export const checkedEnvelope: MiddlewareHandler = async (c, next) => {
  const value = c.req.query(envelopeParameter) ?? 'true'
  if (value !== 'true' && value !== 'false') await refuseWith(c, invalidFields({ [envelopeParameter]: ['Must be true or false.'] }))
  await next()
}

/** Whether a request asks for an answer without the envelope. */
export function wantsBare(c: Context): boolean {
  const value = c.req.query(envelopeParameter)
  return value === undefined ? (c.req.header('accept') ?? '').split(',').some(isBareType) : value === 'false'
}

/** Whether a part of an Accept header is the media type, whatever parameters it has besides; `q=0` refuses it. */
function isBareType(part: string): boolean {
  const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase().replaceAll(/[\s"]/g, ''))
  return type === 'application/json' && parameters.includes('profile=array') && !parameters.some((text) => /^q=0(\.0*)?$/.test(text))
}
