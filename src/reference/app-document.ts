/** The reference of one app: its tables in the place of "any table", with their fields. W3. */
import type { RequestContext } from '../context.ts'
import { describeTables } from '../data/datatables/service.ts'
import type { JsonSchema, OpenApiDocument, Operation } from '../http/openapi/document.ts'
import { type DescribedTable, edgeSchemas, filterParameters, recordSchemas } from './record-schemas.ts'

const place = '/api/apps/{app}/datatables/{table}/'
const edgesPlace = `${place}edges/`

/** `mount` is where the site stands on the request's host. */
export async function documentOfApp(ctx: RequestContext, whole: OpenApiDocument, mount: string, app: string): Promise<OpenApiDocument> {
  const { name, tables } = await describeTables(ctx, app)
  const general = Object.entries(whole.paths).filter(([path]) => path.startsWith(place))
  const paths = tables.flatMap((table) =>
    general
      .filter(([path]) => table.edges || !path.startsWith(edgesPlace))
      .map(([path, operations]) => [
        path.replace('{app}', app).replace('{table}', table.name),
        Object.fromEntries(
          Object.entries(operations)
            .filter(([method]) => method === 'get' || !table.isReference)
            .map(([method, operation]) => [method, specific(operation, table)]),
        ),
      ]),
  )
  return {
    ...whole,
    info: { ...whole.info, title: `${name}, an app of Tessera` },
    servers: [{ url: mount || '/' }],
    tags: tables.map((table) => ({ name: table.name, description: table.schema.description ?? '', 'x-schema-hash': table.schemaHash })),
    paths: Object.fromEntries(paths),
    components: {
      ...whole.components,
      schemas: { ...whole.components.schemas, ...Object.assign({}, ...tables.flatMap((table) => [recordSchemas(table), edgeSchemas(table)])) },
    },
  }
}

/** The operation on any table, as that of one. */
function specific(operation: Operation, table: DescribedTable): Operation {
  const { parameters, ...rest } = naming(operation, table.name) as Operation
  return {
    ...rest,
    operationId: `${operation.operationId}_${table.name}`,
    tags: [table.name],
    parameters: [...parameters.filter(({ name }) => name !== 'app' && name !== 'table'), ...(isList(operation) ? filterParameters(table) : [])],
  }
}

const isList = ({ parameters }: Operation): boolean =>
  parameters.some(({ name }) => name === 'page_size') && parameters.some(({ name }) => name === '_sort')

/** References to what a record is in general lead to what it is in the table. */
function naming(value: unknown, table: string): unknown {
  if (Array.isArray(value)) return value.map((member) => naming(member, table))
  if (typeof value !== 'object' || value === null) return value
  const { $ref } = value as JsonSchema
  const general = typeof $ref === 'string' ? /^#\/components\/schemas\/((?:New)?(?:Record|Edge)|RecordChange)$/.exec($ref)?.[1] : undefined
  if (general) return { $ref: `#/components/schemas/${table}.${general}` }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, naming(member, table)]))
}
