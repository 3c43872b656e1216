/** The reference of one app: its tables in the place of "any table", with their fields. W3. */
import type { RequestContext } from '../context.ts'
import { describeTables } from '../data/datatables/service.ts'
import { graphParameters, selectionParameters } from '../data/records/schema.ts'
import { bareType, envelopeParameter, typeOf } from '../http/envelope.ts'
import { containing, reference, withoutUnused } from '../http/openapi/components.ts'
import type { AppDocument, AppOperation, JsonSchema, OpenApiDocument, Operation, Parameter } from '../http/openapi/types.ts'
import { filterParameters } from './filter-parameters.ts'
import { type DescribedTable, edgeSchemas, recordSchemas } from './record-schemas.ts'

const place = '/api/apps/{app}/datatables/{table}/'
const edgesPlace = `${place}edges/`

/** `mount` is where the site stands on the request's host. */
export async function documentOfApp(ctx: RequestContext, whole: OpenApiDocument, mount: string, app: string): Promise<AppDocument> {
  const { name, tables } = await describeTables(ctx, app)
  const ofAnyTable = Object.entries(whole.paths).filter(([path]) => path.startsWith(place))
  const dependent = containing(general, whole.components.schemas)
  const parameters: Record<string, Parameter> = {}
  const paths = tables.flatMap((table) =>
    ofAnyTable
      .filter(([path]) => table.edges || !path.startsWith(edgesPlace))
      .map(([path, operations]) => [
        path.replace('{app}', app).replace('{table}', table.name),
        Object.fromEntries(
          Object.entries(operations)
            .filter(([method]) => method === 'get' || !table.isReference)
            .map(([method, operation]) => [method, specific(operation, table, dependent, parameters)]),
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
      parameters,
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
      .map(([name, schema]) => [ownName(table.name, name), naming(schema, table.name, dependent)]),
  ),
  ...recordSchemas(table),
  ...edgeSchemas(table),
})

/** The operation on any table, as that of one. What it takes is added to `shared`, the parameters of the document. */
function specific(operation: Operation, table: DescribedTable, dependent: ReadonlySet<string>, shared: Record<string, Parameter>): AppOperation {
  const { parameters, responses, ...rest } = naming(operation, table.name, dependent) as Operation
  const share = (owner: string) => (parameter: Parameter) => {
    // Generators make type names of these, in which `page` and `_page` would be one.
    const name = `${owner}.${parameter.name.replace(/^_/, 'underscore_')}`
    shared[name] = parameter
    return reference('parameters', name)
  }
  const left = leftOut(operation, table)
  return {
    ...rest,
    responses: withoutForms(responses, table),
    operationId: `${operation.operationId}_${table.name}`,
    tags: [table.name],
    parameters: [
      ...parameters.filter(({ name }) => !left.has(name)).map(share(operation.operationId)),
      ...(takesFilters(operation, table) ? filterParameters(table.schema.fields).map(share(table.name)) : []),
    ],
  }
}

/** Known here, or of no use to typed clients: an answer that may have one of two forms is one that they have to tell apart. */
const notOfTables = ['app', 'table', envelopeParameter]

const isList = ({ operationId }: Operation): boolean => operationId === 'listRecords'
const isRead = ({ operationId }: Operation): boolean => operationId === 'getRecord'

/** The filters of one record are those of the nodes of a walk. */
const takesFilters = (operation: Operation, { edges }: DescribedTable) => isList(operation) || (isRead(operation) && edges !== undefined)

/** The parameters that an operation does not have at this table. */
function leftOut(operation: Operation, { edges }: DescribedTable): ReadonlySet<string> {
  const ofWalks = edges ? [] : ['format', ...graphParameters, ...(isRead(operation) ? selectionParameters : [])]
  return new Set([...notOfTables, ...ofWalks])
}

const walkTypes = [typeOf('tree'), typeOf('graph'), typeOf('include')]

/** Without the media types that the table does not have, and the answer that has no envelope. */
function withoutForms(responses: Operation['responses'], { edges }: DescribedTable): Operation['responses'] {
  const left = [bareType, ...(edges ? [] : walkTypes)]
  return Object.fromEntries(
    Object.entries(responses).flatMap(([status, response]) => {
      if (!('content' in response) || !response.content) return [[status, response]]
      const content = Object.fromEntries(Object.entries(response.content).filter(([mediaType]) => !left.includes(mediaType)))
      return Object.keys(content).length > 0 ? [[status, { ...response, content }]] : []
    }),
  )
}

/** What depends on the table, as its own schemas declare it. */
const general = ['AnyRecord', 'NewRecord', 'RecordChange', 'NamedRecordChange', 'Edge', 'NewEdge']

/** What a schema of any table is called as that of one. */
const ownName = (table: string, name: string): string => `${table}.${name === 'AnyRecord' ? 'Record' : name}`

/** Rewrites references to schemas of any table as references to those of one. */
function naming(value: unknown, table: string, ofTables: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((member) => naming(member, table, ofTables))
  if (typeof value !== 'object' || value === null) return value
  const { $ref } = value as JsonSchema
  if (typeof $ref === 'string' && ofTables.has($ref)) return reference('schemas', ownName(table, $ref.slice($ref.lastIndexOf('/') + 1)))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, naming(member, table, ofTables)]))
}
