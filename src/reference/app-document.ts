/** The reference of one app: its tables in the place of "any table", with their fields. W3. */
import type { RequestContext } from '../context.ts'
import { describeTables } from '../data/datatables/service.ts'
import { bareType, envelopeParameter } from '../http/envelope.ts'
import { containing, reference, withoutUnused } from '../http/openapi/components.ts'
import type { JsonSchema, OpenApiDocument, Operation } from '../http/openapi/types.ts'
import { type DescribedTable, edgeSchemas, filterParameters, recordSchemas } from './record-schemas.ts'

const place = '/api/apps/{app}/datatables/{table}/'
const edgesPlace = `${place}edges/`

/** `mount` is where the site stands on the request's host. */
export async function documentOfApp(ctx: RequestContext, whole: OpenApiDocument, mount: string, app: string): Promise<OpenApiDocument> {
  const { name, tables } = await describeTables(ctx, app)
  const ofAnyTable = Object.entries(whole.paths).filter(([path]) => path.startsWith(place))
  const dependent = containing(general, whole.components.schemas)
  const paths = tables.flatMap((table) =>
    ofAnyTable
      .filter(([path]) => table.edges || !path.startsWith(edgesPlace))
      .map(([path, operations]) => [
        path.replace('{app}', app).replace('{table}', table.name),
        Object.fromEntries(
          Object.entries(operations)
            .filter(([method]) => method === 'get' || !table.isReference)
            .map(([method, operation]) => [method, specific(operation, table, dependent)]),
        ),
      ]),
  )
  return withoutUnused({
    ...whole,
    info: { ...whole.info, title: `${name}, an app of Tessera` },
    servers: [{ url: mount || '/' }],
    tags: tables.map((table) => ({ name: table.name, description: table.schema.description ?? '', 'x-schema-hash': table.schemaHash })),
    paths: Object.fromEntries(paths),
    webhooks: {},
    components: {
      ...whole.components,
      schemas: Object.assign({}, whole.components.schemas, ...tables.map((table) => schemasOf(table, whole.components.schemas, dependent))),
    },
  })
}

/** The schemas of a table, and those that contain one of them. */
const schemasOf = (
  table: DescribedTable,
  schemas: Readonly<Record<string, JsonSchema>>,
  dependent: ReadonlySet<string>,
): Record<string, unknown> => ({
  ...Object.fromEntries(
    Object.entries(schemas)
      .filter(([name]) => dependent.has(reference('schemas', name).$ref))
      .map(([name, schema]) => [`${table.name}.${name}`, naming(schema, table.name, dependent)]),
  ),
  ...recordSchemas(table),
  ...edgeSchemas(table),
})

/** The operation on any table, as that of one. */
function specific(operation: Operation, table: DescribedTable, dependent: ReadonlySet<string>): Operation {
  const { parameters, responses, ...rest } = naming(operation, table.name, dependent) as Operation
  return {
    ...rest,
    responses: enveloped(responses),
    operationId: `${operation.operationId}_${table.name}`,
    tags: [table.name],
    parameters: [...parameters.filter(({ name }) => !notOfTables.has(name)), ...(isList(operation) ? filterParameters(table) : [])],
  }
}

/** Known here, or of no use to typed clients: an answer that may have one of two forms is one that they have to tell apart. */
const notOfTables: ReadonlySet<string> = new Set(['app', 'table', envelopeParameter])

function enveloped(responses: Operation['responses']): Operation['responses'] {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      if (!('content' in response) || !response.content) return [status, response]
      const { [bareType]: _, ...content } = response.content
      return [status, { ...response, content }]
    }),
  )
}

const isList = ({ parameters }: Operation): boolean =>
  parameters.some(({ name }) => name === 'page_size') && parameters.some(({ name }) => name === '_sort')

/** What depends on the table, as its own schemas declare it. */
const general = ['Record', 'NewRecord', 'RecordChange', 'NamedRecordChange', 'Edge', 'NewEdge']

/** Rewrites references to schemas of any table as references to those of one. */
function naming(value: unknown, table: string, ofTables: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((member) => naming(member, table, ofTables))
  if (typeof value !== 'object' || value === null) return value
  const { $ref } = value as JsonSchema
  if (typeof $ref === 'string' && ofTables.has($ref)) return reference('schemas', `${table}.${$ref.slice($ref.lastIndexOf('/') + 1)}`)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, naming(member, table, ofTables)]))
}
