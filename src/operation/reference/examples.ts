/**
 * The examples in the reference: requests that `npm run examples` sent to the demo, and their answers. W3.
 */
import { codeHeader } from '../../kernel/errors.ts'
import type { Content, OpenApiDocument, Operation, Response } from '../../kernel/http/openapi/types.ts'
import recordedExamples from './examples.json' with { type: 'json' }
import type { Schemas } from './operations.ts'
import { sampleOf } from './sample.ts'

/** The bodies of one operation. The keys of `answers` are "<status> <media type>". */
interface Example {
  body?: unknown
  answers: Readonly<Record<string, unknown>>
}

/** The examples by operation id. */
const examples: Readonly<Record<string, Example>> = recordedExamples

/** Returns the document with an example for each body and each answer: the recorded ones, and made ones of errors. */
export const withExamples = (document: OpenApiDocument): OpenApiDocument => ({
  ...document,
  paths: mapValues(document.paths, (operations) =>
    mapValues(operations, (operation) => withExample(operation, document.components.schemas)),
  ),
  components: {
    ...document.components,
    responses: mapValues(document.components.responses, (response) =>
      withErrorExample(response, document.components.schemas),
    ),
  },
})

/** Adds an example of an error. Its code and its detail are what the document says of the error. */
function withErrorExample(response: Response, schemas: Schemas): Response {
  if (!response.content) return response
  const { example: code } = Object(response.headers?.[codeHeader]) as { example?: string }
  const content = mapValues(response.content, (media) => {
    const sample = sampleOf(media.schema, schemas)
    const { detail, code: hasCode } = Object(sample) as { detail?: unknown; code?: unknown }
    const texts = typeof detail === 'string' ? { detail: response.description } : {}
    const codes = hasCode === undefined || code === undefined ? {} : { code }
    return { ...media, example: typeof sample === 'object' ? { ...sample, ...texts, ...codes } : sample }
  })
  return { ...response, content }
}

function withExample(operation: Operation, schemas: Schemas): Operation {
  const example = examples[operation.operationId]
  if (!example) return operation
  const { requestBody, responses } = operation
  const withBody =
    requestBody && 'body' in example
      ? {
          requestBody: {
            ...requestBody,
            content: mapValues(requestBody.content, (media, mediaType) =>
              mediaType === 'application/json' ? { ...media, example: example.body } : media,
            ),
          },
        }
      : {}
  return {
    ...operation,
    ...withBody,
    responses: mapValues(responses, (response, status) =>
      'content' in response && response.content
        ? { ...response, content: withAnswers(response.content, status, example, schemas) }
        : response,
    ),
  }
}

/** Work that goes on in the background takes too long to be recorded. */
const withAnswers = (content: Content, status: string, { answers }: Example, schemas: Schemas): Content =>
  mapValues(content, (media, mediaType) => {
    const key = `${status} ${mediaType}`
    if (key in answers) return { ...media, example: answers[key] }
    return status === '202' ? { ...media, example: sampleOf(media.schema, schemas) } : media
  })

const mapValues = <Value>(
  object: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => Value,
): Record<string, Value> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]))
