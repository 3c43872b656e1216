/** Builds the responses of an operation from the declarations of its handlers. */
import * as z from 'zod'
import type { ErrorCode } from '../../error-codes.ts'
import { codeHeader } from '../../errors.ts'
import { detail } from './bodies.ts'
import { reference } from './components.ts'
import type { Answer, Answers, OperationPart } from './describe.ts'
import { headerRow } from './headers.ts'
import { pascal, type SchemaCollection } from './schemas.ts'
import type { JsonSchema, Operation, Reference, Response } from './types.ts'

interface Reason {
  /** The name of the shared response with this status. */
  name: string
  description: string
  /** The code of an error in examples. */
  code?: ErrorCode | undefined
}

const reason = (name: string, description: string, code?: ErrorCode): Reason => ({ name, description, code })

const reasons: Readonly<Record<string, Reason>> = {
  200: reason('Ok', 'The request succeeded.'),
  201: reason('Created', 'The resource was created.'),
  204: reason('NoContent', 'The request succeeded. There is no body.'),
  304: reason('NotModified', 'The resource has not changed since the state that If-None-Match names.'),
  400: reason('BadRequest', 'The request is invalid. The body describes the errors.', 'validation_failed'),
  401: reason('Unauthorized', 'Credentials are missing, invalid or expired.', 'not_authenticated'),
  403: reason('Forbidden', 'The caller does not have the required permission.', 'permission_denied'),
  404: reason('NotFound', 'The resource or the site does not exist.', 'not_found'),
  409: reason(
    'Conflict',
    'The request conflicts with the current state of the resource, or with another resource.',
    'already_exists',
  ),
  410: reason('Gone', 'The resource is no longer available.', 'invitation_expired'),
  412: reason(
    'PreconditionFailed',
    'The resource has changed since the state that If-Match names.',
    'changed_meanwhile',
  ),
  413: reason('ContentTooLarge', 'The body is larger than 10 MB.', 'body_too_large'),
  415: reason(
    'UnsupportedMediaType',
    'The operation does not support the Content-Type of the body.',
    'unsupported_media_type',
  ),
  422: reason(
    'UnprocessableContent',
    'The request is well-formed, but cannot be carried out.',
    'quota_exceeded',
  ),
  429: reason('TooManyRequests', 'Too many requests. Retry-After says when to try again.', 'rate_limited'),
  500: reason('InternalServerError', 'A stored value cannot be decrypted.', 'decryption_failed'),
  503: reason(
    'ServiceUnavailable',
    'The service is temporarily unavailable. Retry-After says when to try again.',
    'unavailable',
  ),
  default: reason(
    'ServiceFailure',
    'An internal error. It is logged under the request id in the header X-Request-Id.',
    'internal_error',
  ),
}

/**
 * Collects the error responses of operations. Equal responses become one component to which operations refer.
 */
export class SharedResponses {
  readonly components: Record<string, Response> = {}
  readonly #names = new Map<string, string>()

  /**
   * Returns a reference to the response. One with a description of its own, or with other headers than the
   * first of its kind, has the name of its first operation.
   */
  share(id: string, status: string, response: Response): Reference {
    const text = JSON.stringify(response)
    const name = this.#names.get(text) ?? this.#nameOf(id, status, response)
    this.#names.set(text, name)
    this.components[name] = response
    return reference('responses', name)
  }

  #nameOf(id: string, status: string, response: Response): string {
    const kind = `${reasons[status]?.name ?? status}${bodyName(response)}`
    const isUsual = response.description === (reasons[status]?.description ?? status)
    return isUsual && !(kind in this.components) ? kind : `${pascal(id)}${kind}`
  }
}

/** Returns the names of an error's bodies; empty for the usual body, Detail. */
function bodyName({ content = {} }: Response): string {
  const schema = Object.values(content)[0]?.schema ?? {}
  const names = alternatives(schema).map(({ $ref }) =>
    typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : 'Object',
  )
  return names.join() === 'Detail' ? '' : names.join('Or')
}

/** Returns the responses by status. If several handlers declare a status, its body is one of theirs. */
export function responsesOf(
  id: string,
  parts: readonly OperationPart[],
  schemas: SchemaCollection,
  shared: SharedResponses,
): Operation['responses'] {
  const answers = [
    ...parts.flatMap((part) => Object.entries(part.answers ?? {})),
    ['default', detail] as const,
  ]
  const errors = parts.find((part) => part.errors)?.errors
  const byStatus = [...Map.groupBy(answers, ([status]) => status)].sort(([a], [b]) => a.localeCompare(b))
  return Object.fromEntries(
    byStatus.map(([status, entries]) => {
      const isSuccess = /^[23]/.test(status)
      const declared = entries.flatMap(([, answer]) => asAnswers(answer))
      const all = isSuccess ? declared : declared.map((answer) => asError({ ...answer, ...errors }))
      const response = responseOf(status, all, (bodies) => {
        const schema = anyOf(bodies.map((body) => schemas.output(body)))
        return isSuccess ? schemas.named(`${pascal(id)}Response`, schema) : schema
      })
      return [status, isSuccess ? response : shared.share(id, status, response)]
    }),
  )
}

/** Adds the header that every error has. */
const asError = (answer: Answer): Answer => ({ ...answer, headers: [...(answer.headers ?? []), codeHeader] })

function responseOf(
  status: string,
  all: readonly Answer[],
  schemaOf: (bodies: z.ZodType[]) => JsonSchema,
): Response {
  const names = [...new Set(all.flatMap((answer) => answer.headers ?? []))]
  const contents = Map.groupBy(
    all.filter(({ body }) => body),
    ({ mediaType = 'application/json' }) => mediaType,
  )
  const content = [...contents].map(([mediaType, answers]) => [
    mediaType,
    {
      schema: schemaOf(answers.flatMap(({ body }) => body ?? [])),
      ...answers.flatMap(({ example }) => (example === undefined ? [] : [{ example }]))[0],
    },
  ])
  return {
    description:
      all.findLast((answer) => answer.description)?.description ?? reasons[status]?.description ?? status,
    ...(names.length > 0
      ? { headers: Object.fromEntries(names.map((name) => [name, headerOf(name, status)])) }
      : {}),
    ...(content.length > 0 ? { content: Object.fromEntries(content) } : {}),
  }
}

/** Returns the row of a header. That of the code has the code of the status as its example. */
const headerOf = (name: string, status: string) =>
  name === codeHeader ? { ...headerRow(name), example: reasons[status]?.code } : headerRow(name)

function asAnswers(answer: Answers[number]): readonly Answer[] {
  if (answer === null) return [{}]
  if (answer instanceof z.ZodType) return [{ body: answer }]
  return Array.isArray(answer) ? answer : [answer as Answer]
}

const alternatives = (schema: JsonSchema): JsonSchema[] =>
  Object.keys(schema).join() === 'anyOf' ? (schema.anyOf as JsonSchema[]) : [schema]

/** Returns a schema for any of these schemas, in an order that does not depend on the order of handlers. */
function anyOf(all: readonly JsonSchema[]): JsonSchema {
  const different = new Map(all.flatMap(alternatives).map((schema) => [JSON.stringify(schema), schema]))
  const sorted = [...different].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, schema]) => schema)
  return sorted.length === 1 ? (sorted[0] as JsonSchema) : { anyOf: sorted }
}
