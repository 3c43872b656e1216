/** Shows the parameters of an operation. The many filters on fields are hidden behind a summary. */
import type { Parameter } from '../../../kernel/http/openapi/types.ts'
import type { Schemas, ShownOperation } from '../operations.ts'
import { counted } from './counted.ts'
import { describeType } from './schema.tsx'
import { Inline } from './text.tsx'

const places: readonly [place: string, title: string][] = [
  ['path', 'In the path'],
  ['query', 'In the query string'],
  ['header', 'In headers'],
]

/** The section with the parameters. */
export const Parameters = ({ operation, schemas }: { operation: ShownOperation; schemas: Schemas }) => {
  const { parameters, filters } = operation
  if (parameters.length + filters.length === 0) return null
  return (
    <>
      <h2>Parameters</h2>
      {places.map(([place, title]) => (
        <Group
          title={title}
          parameters={parameters.filter((parameter) => parameter.in === place)}
          schemas={schemas}
        />
      ))}
      {filters.length > 0 ? (
        <details>
          <summary>{counted(filters.length, 'filter')} on the fields of this table</summary>
          <List parameters={filters} schemas={schemas} />
        </details>
      ) : null}
    </>
  )
}

interface GroupProps {
  title: string
  parameters: readonly Parameter[]
  schemas: Schemas
}

const Group = ({ title, parameters, schemas }: GroupProps) =>
  parameters.length === 0 ? null : (
    <>
      <h3>{title}</h3>
      <List parameters={parameters} schemas={schemas} />
    </>
  )

const List = ({ parameters, schemas }: Omit<GroupProps, 'title'>) => (
  <ul class="members">
    {parameters.map(({ name, required, description, schema }) => (
      <li>
        <code>{name}</code>{' '}
        <span class="type">
          {describeType(schema, schemas)}
          {required ? ', required' : ''}
        </span>
        {description ? (
          <p>
            <Inline text={description} />
          </p>
        ) : null}
      </li>
    ))}
  </ul>
)
