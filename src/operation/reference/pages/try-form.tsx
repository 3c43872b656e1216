/** The form that sends an operation. src/operation/assets/reference.js reads it; nothing is sent without a click. */
import type { Parameter } from '../../../kernel/http/openapi/types.ts'
import type { ShownOperation } from '../operations.ts'
import { counted } from './counted.ts'
import { operationAddress, type ReferencePlace, signInAddress } from './place.ts'

interface TryProps {
  place: ReferencePlace
  operation: ShownOperation
  /** The example body. Undefined: the operation has no body. */
  body: string | undefined
}

/** The number of filters that can be combined. */
const filterRows = 3

/** The form, and the answer below it. */
export const TryForm = ({ place, operation, body }: TryProps) => {
  const { method, path, parameters } = operation
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const credential = credentialFor(operation)
  return (
    <section class="try" aria-labelledby="try">
      <h2 id="try">Try it</h2>
      <Sender place={place} operation={operation} />
      <noscript>
        <p>Sending from here needs JavaScript. The rest of this page does not.</p>
      </noscript>
      <form
        id="request"
        data-method={method}
        data-path={`${path.startsWith('/api/') ? place.mount : ''}${path}`}
        data-credential={credential}
        data-signed-in={place.reader ? 'true' : 'false'}
        data-token={`${place.mount}/api/auth/session/token/`}
      >
        {inPath.map((parameter) => (
          <Field parameter={parameter} />
        ))}
        {takesFilters(operation) ? <Filters operation={operation} /> : null}
        {inQuery.length > 0 ? (
          <details>
            <summary>{counted(inQuery.length, 'query parameter')}</summary>
            {inQuery.map((parameter) => (
              <Field parameter={parameter} />
            ))}
          </details>
        ) : null}
        {body === undefined ? null : (
          <div class="field">
            <label for="body">Body</label>
            <textarea
              id="body"
              name="body"
              rows={Math.min(20, body.split('\n').length + 1)}
              spellcheck={false}
            >
              {body}
            </textarea>
          </div>
        )}
        <button type="submit">Send {method}</button>
      </form>
      <h3>As a command</h3>
      <pre tabindex={0}>
        <code id="command" />
      </pre>
      <div id="answer" role="status" />
    </section>
  )
}

/** Shows with whose rights the request is sent. */
const Sender = ({ place, operation: { operationId, security } }: Omit<TryProps, 'body'>) => {
  if (security.length === 0) return <p>The request needs no credentials.</p>
  const { reader, mount } = place
  const signIn = signInAddress(mount, operationAddress(place, operationId))
  return reader ? (
    <p>Signed in as {reader.name}. The request is sent with your rights, and what it changes is changed.</p>
  ) : (
    <p>
      You are not signed in. <a href={signIn}>Sign in</a> to send this request with your rights.
    </p>
  )
}

/**
 * Returns how the script authenticates the reader: with a token of the session, with the session itself, or
 * not at all.
 */
function credentialFor({ security }: ShownOperation): 'bearer' | 'session' | 'none' {
  if (security.some((scheme) => 'bearer' in scheme)) return 'bearer'
  return security.some((scheme) => 'session' in scheme) ? 'session' : 'none'
}

/** Tells whether undeclared parameters are filters. */
const takesFilters = ({ filters, operationId }: ShownOperation): boolean =>
  filters.length > 0 || operationId === 'listRecords' || operationId === 'getRecord'

const Field = ({ parameter: { name, in: place, schema, required } }: { parameter: Parameter }) => {
  const id = `${place}-${name}`
  return (
    <div class="field">
      <label for={id}>{name}</label>
      {Array.isArray(schema.enum) ? (
        <select id={id} name={`${place}:${name}`}>
          <option value="" />
          {schema.enum.map((value) => (
            <option value={String(value)}>{String(value)}</option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          name={`${place}:${name}`}
          required={Boolean(required)}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
      )}
    </div>
  )
}

const Filters = ({ operation: { filters } }: { operation: ShownOperation }) => (
  <fieldset>
    <legend>Filters</legend>
    <datalist id="filters">
      {filters.map(({ name, description }) => (
        <option value={name} label={description?.replaceAll('`', '') ?? ''} />
      ))}
    </datalist>
    {Array.from({ length: filterRows }, (_, row) => (
      <div class="filter">
        <div class="field">
          <label for={`filter-${row}`}>Field and operator {row + 1}</label>
          <input
            id={`filter-${row}`}
            name="filter"
            list="filters"
            placeholder={placeholders[row] ?? ''}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
          />
        </div>
        <div class="field">
          <label for={`value-${row}`}>Value {row + 1}</label>
          <input id={`value-${row}`} name="value" autocomplete="off" spellcheck={false} />
        </div>
      </div>
    ))}
  </fieldset>
)

const placeholders = ['name__contains', 'price__lt', 'created_at__gte']
