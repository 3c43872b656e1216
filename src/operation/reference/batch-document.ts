/** Batches in the OpenAPI document of an app: operations on its tables, with their fields. W3. */
import { reference } from '../../kernel/http/openapi/components.ts'
import type { AppOperation, JsonSchema, OpenApiDocument, Parameter } from '../../kernel/http/openapi/types.ts'
import type { DescribedTable } from './record-schemas.ts'

const batchPath = '/api/apps/{app}/batch/'
const operationName = 'BatchOperation'

/** The tag of batches. No table can have this name. */
export const batchTag = { name: 'Several tables', description: 'Writes to several tables at once.' }

/** Returns the path of batches of an app, for the tables that can be written. Adds its parameters to `shared`. */
export function batchPathOf(
  { paths }: OpenApiDocument,
  app: string,
  tables: readonly DescribedTable[],
  shared: Record<string, Parameter>,
): Record<string, Record<string, AppOperation>> {
  const operations = tables.map(({ name }) => reference('schemas', `${name}.${operationName}`))
  const members = Object.entries(paths[batchPath] ?? {}).map(
    ([method, operation]): [string, AppOperation] => [
      method,
      {
        ...(replaceOperation(operation, { anyOf: operations }) as typeof operation),
        tags: [batchTag.name],
        parameters: operation.parameters
          .filter(({ name }) => name !== 'app')
          .map((parameter) => {
            const name = `${operation.operationId}.${parameter.name}`
            shared[name] = parameter
            return reference('parameters', name)
          }),
      },
    ],
  )
  return { [batchPath.replace('{app}', app)]: Object.fromEntries(members) }
}

/** Replaces references to the general schema of an operation. */
function replaceOperation(value: unknown, replacement: JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((member) => replaceOperation(member, replacement))
  if (typeof value !== 'object' || value === null) return value
  if ((value as JsonSchema).$ref === reference('schemas', operationName).$ref) return replacement
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, replaceOperation(member, replacement)]),
  )
}

/**
 * Returns the schema of the operations on a table. `schema` is the general schema, with the records of the
 * table.
 */
export function batchSchemas(
  { name, edges }: Pick<DescribedTable, 'name' | 'edges'>,
  schema: JsonSchema,
): Record<string, JsonSchema> {
  const variants = (schema.oneOf ?? schema.anyOf) as readonly JsonSchema[]
  const own = variants
    .filter(({ properties }) => edges || !isOfEdges(properties as Properties))
    .map((variant) => ({
      ...variant,
      properties: { ...(variant.properties as Properties), table: { type: 'string', const: name } },
    }))
  return { [`${name}.${operationName}`]: { oneOf: own } }
}

type Properties = Readonly<Record<string, JsonSchema>>

const isOfEdges = ({ op }: Properties): boolean => String(op?.const).endsWith('_edge')
