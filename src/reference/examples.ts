/** The examples of the reference: what `npm run examples` sent to the demo, and what it answered. W3. */
import type { Content, OpenApiDocument, Operation } from '../http/openapi/types.ts'
import recorded from './examples.json' with { type: 'json' }

interface Example {
  body?: unknown
  /** By the status and the media type, with a space between them. */
  answers: Readonly<Record<string, unknown>>
}

const examples: Readonly<Record<string, Example>> = recorded

/** The document with an example for each body and each answer that was recorded. */
export const withExamples = (document: OpenApiDocument): OpenApiDocument => ({
  ...document,
  paths: mapped(document.paths, (operations) => mapped(operations, withExample)),
})

function withExample(operation: Operation): Operation {
  const example = examples[operation.operationId]
  if (!example) return operation
  const { requestBody, responses } = operation
  return {
    ...operation,
    ...(requestBody && 'body' in example
      ? { requestBody: { ...requestBody, content: mapped(requestBody.content, (media) => ({ ...media, example: example.body })) } }
      : {}),
    responses: mapped(responses, (response, status) =>
      'content' in response && response.content ? { ...response, content: answered(response.content, status, example) } : response,
    ),
  }
}

const answered = (content: Content, status: string, { answers }: Example): Content =>
  mapped(content, (media, mediaType) => {
    const key = `${status} ${mediaType}`
    return key in answers ? { ...media, example: answers[key] } : media
  })

/** The object with each of its values made anew. */
const mapped = <Value>(of: Readonly<Record<string, Value>>, make: (value: Value, name: string) => Value): Record<string, Value> =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, make(value, name)]))
