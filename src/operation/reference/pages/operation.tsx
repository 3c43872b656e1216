/** The page of an operation: its description, its parameters, its answers, and a form to send it. */
import type { Content } from '../../../kernel/http/openapi/types.ts'
import { Frame } from '../../../kernel/page/frame.tsx'
import type { Schemas, ShownChapter, ShownOperation } from '../operations.ts'
import { sampleOf } from '../sample.ts'
import { Contents } from './contents.tsx'
import { Parameters } from './parameters.tsx'
import type { ReferencePlace } from './place.ts'
import { SchemaView } from './schema.tsx'
import { Inline, Text } from './text.tsx'
import { TryForm } from './try-form.tsx'

interface OperationProps {
  place: ReferencePlace
  operation: ShownOperation
  chapters: readonly ShownChapter[]
  schemas: Schemas
}

export const OperationPage = ({ place, operation, chapters, schemas }: OperationProps) => (
  <Frame
    title={`${operation.summary} · ${place.title}`}
    script="/reference.js"
    contents={
      <Contents
        place={place}
        chapters={chapters}
        current={chapters.find(({ operations }) => operations.includes(operation))}
        shown={operation}
      />
    }
  >
    <h1>{operation.summary}</h1>
    <p>
      <code class="address">
        <b>{operation.method}</b> {operation.path}
      </code>
    </p>
    <Text text={operation.description ?? ''} />
    <p>
      <Inline text={credentialsOf(operation)} />
    </p>
    <TryForm place={place} operation={operation} body={bodyOf(operation, schemas)} />
    <Parameters operation={operation} schemas={schemas} />
    {operation.requestBody ? (
      <>
        <h2>Body</h2>
        <Contained content={operation.requestBody.content} schemas={schemas} />
      </>
    ) : null}
    <h2>Answers</h2>
    {Object.entries(operation.responses).map(([status, { description, content = {} }]) => (
      <section class="answer">
        <h3>{status}</h3>
        <Text text={description} />
        <Contained content={content} schemas={schemas} isFolded={!status.startsWith('2')} />
      </section>
    ))}
  </Frame>
)

const schemeNames: Readonly<Record<string, string>> = {
  bearer: 'an access token (`Authorization: Bearer …`)',
  'api-key': 'an API key (`Authorization: Api-Key …`)',
  session: 'the cookie of a session',
}

/** Returns a text about the credentials that an operation accepts. */
function credentialsOf({ security }: ShownOperation): string {
  const names = security.map((scheme) => Object.keys(scheme)[0])
  if (names.length === 0) return 'Takes no credentials.'
  const said = names.map((name) => (name === undefined ? 'none' : (schemeNames[name] ?? name)))
  return `Credentials: ${said.join(', or ')}.`
}

interface ContainedProps {
  content: Content
  schemas: Schemas
  /** Whether the section is closed at first. */
  isFolded?: boolean
}

const Contained = ({ content, schemas, isFolded = false }: ContainedProps) => (
  <>
    {Object.entries(content).map(([mediaType, { schema, example }]) => (
      <details open={!isFolded && mediaType === Object.keys(content)[0]}>
        <summary>{mediaType}</summary>
        <SchemaView schema={schema} schemas={schemas} />
        {example === undefined ? null : (
          <>
            <p>Example:</p>
            <pre tabindex={0}>
              <code>{JSON.stringify(example, null, 2)}</code>
            </pre>
          </>
        )}
      </details>
    ))}
  </>
)

/** Returns an example body, as text. Undefined if the operation has no body. */
function bodyOf({ requestBody }: ShownOperation, schemas: Schemas): string | undefined {
  const [media] = Object.values(requestBody?.content ?? {})
  if (!media) return undefined
  return JSON.stringify(media.example ?? sampleOf(media.schema, schemas), null, 2)
}
