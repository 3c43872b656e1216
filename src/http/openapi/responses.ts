/** The responses of an operation, from what its handlers declare. */
import { z } from 'zod'
import { detail } from './bodies.ts'
import { reference } from './components.ts'
import type { Answer, Answers, Part } from './describe.ts'
import { headerRow } from './headers.ts'
import { pascal, type SchemaCollection } from './schemas.ts'
import type { JsonSchema, Operation, Reference, Response } from './types.ts'

interface Reason {
  /** The name of the shared response that has this status. */
  name: string
  description: string
}

const reason = (name: string, description: string): Reason => ({ name, description })

const reasons: Readonly<Record<string, Reason>> = {
  200: reason('Ok', 'Success'),
  201: reason('Created', 'Created'),
  204: reason('NoContent', 'Success, without a body'),
  304: reason('NotModified', 'The record is in the state that the client has'),
  400: reason('BadRequest', 'The request is invalid. The body says what is wrong'),
  401: reason('Unauthorized', 'The request has no credentials, or they are invalid'),
  403: reason('Forbidden', 'The caller has no permission for this'),
  404: reason('NotFound', 'The resource or the site does not exist'),
  409: reason('Conflict', 'The request conflicts with what exists'),
  410: reason('Gone', 'The resource existed and is no longer available'),
  412: reason('PreconditionFailed', 'The resource is not in the state that If-Match names'),
  413: reason('ContentTooLarge', 'The body is larger than 10 MB'),
  415: reason('UnsupportedMediaType', 'The Content-Type is not application/json'),
  422: reason('UnprocessableContent', 'The request is valid and cannot be carried out in the present state'),
  429: reason('TooManyRequests', 'The caller has made too many requests'),
  500: reason('InternalServerError', 'A stored value cannot be decrypted'),
  503: reason('ServiceUnavailable', 'The database does not answer, or the site is being migrated'),
  default: reason('ServiceFailure', 'The service failed. The log has an entry with the request id'),
}

/** The failures of operations. Equal ones become one component, which the operations refer to. */
export class SharedResponses {
  readonly components: Record<string, Response> = {}

  /** A reference to a response, or the response itself if another one has its name. */
  share(status: string, response: Response): Response | Reference {
    const name = `${reasons[status]?.name ?? status}${bodyName(response)}`
    this.components[name] ??= response
    return JSON.stringify(this.components[name]) === JSON.stringify(response) ? reference('responses', name) : response
  }
}

/** Names the bodies of a failure that have other bodies than a sentence. */
function bodyName({ content = {} }: Response): string {
  const schema = content['application/json']?.schema ?? {}
  const names = alternatives(schema).map(({ $ref }) => (typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : 'Object'))
  return names.join() === 'Detail' ? '' : names.join('Or')
}

/** The responses of an operation by status. A status that several handlers answer with has any of their bodies. */
export function responsesOf(id: string, parts: readonly Part[], schemas: SchemaCollection, shared: SharedResponses): Operation['responses'] {
  const answers = [...parts.flatMap((part) => Object.entries(part.answers ?? {})), ['default', detail] as const]
  const byStatus = [...Map.groupBy(answers, ([status]) => status)].sort(([a], [b]) => a.localeCompare(b))
  return Object.fromEntries(
    byStatus.map(([status, entries]) => {
      const isSuccess = /^[23]/.test(status)
      const all = entries.flatMap(([, answer]) => asAnswers(answer))
      const response = responseOf(status, all, (bodies) => {
        const schema = anyOf(bodies.map((body) => schemas.output(body)))
        return isSuccess ? schemas.named(`${pascal(id)}Response`, schema) : schema
      })
      return [status, isSuccess ? response : shared.share(status, response)]
    }),
  )
}

function responseOf(status: string, all: readonly Answer[], schemaOf: (bodies: z.ZodType[]) => JsonSchema): Response {
  const names = [...new Set(all.flatMap((answer) => answer.headers ?? []))]
  const contents = Map.groupBy(
    all.filter(({ body }) => body),
    ({ mediaType = 'application/json' }) => mediaType,
  )
  const content = [...contents].map(([mediaType, of]) => [mediaType, { schema: schemaOf(of.flatMap(({ body }) => body ?? [])) }])
  return {
    description: all.findLast((answer) => answer.description)?.description ?? reasons[status]?.description ?? status,
    ...(names.length > 0 ? { headers: Object.fromEntries(names.map((name) => [name, headerRow(name)])) } : {}),
    ...(content.length > 0 ? { content: Object.fromEntries(content) } : {}),
  }
}

function asAnswers(answer: Answers[number]): readonly Answer[] {
  if (answer === null) return [{}]
  return answer instanceof z.ZodType ? [{ body: answer }] : Array.isArray(answer) ? answer : [answer as Answer]
}

const alternatives = (schema: JsonSchema): JsonSchema[] => (Object.keys(schema).join() === 'anyOf' ? (schema.anyOf as JsonSchema[]) : [schema])

/** In one order, whichever handler comes first. */
function anyOf(all: readonly JsonSchema[]): JsonSchema {
  const different = new Map(all.flatMap(alternatives).map((schema) => [JSON.stringify(schema), schema]))
  const sorted = [...different].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, schema]) => schema)
  return sorted.length === 1 ? (sorted[0] as JsonSchema) : { anyOf: sorted }
}
