/**
 * The OpenAPI document of one app: the operations on records of each of its tables, with their fields. W3.
 */

import { describeTables } from '../../data/datatables/service.ts'
import { asOfParameter, graphParameters, selectionParameters } from '../../data/records/schema.ts'
import type { RequestContext } from '../../kernel/context.ts'
import { invalidFields } from '../../kernel/errors.ts'
import { bareType, envelopeParameter, mediaTypeOf } from '../../kernel/http/envelope.ts'
import { eventType } from '../../kernel/http/live-answer.ts'
import { reference, referencesTo, withoutUnused } from '../../kernel/http/openapi/components.ts'
import type {
  AppDocument,
  AppOperation,
  Content,
  JsonSchema,
  OpenApiDocument,
  Operation,
  Parameter,
} from '../../kernel/http/openapi/types.ts'
import { streamTypes } from '../../kernel/http/stream-forms.ts'
import { quoteValue } from '../../kernel/lib/quote-value.ts'
import { sha256 } from '../../kernel/lib/sha256.ts'
import { batchPathOf, batchSchemas, batchTag } from './batch-document.ts'
import { edgeSchemas } from './edge-schemas.ts'
import { type SharedComponents, shareFilters, shareRanges } from './filter-parameters.ts'
import { type DescribedTable, recordSchemas } from './record-schemas.ts'

const tablePath = '/api/apps/{app}/datatables/{table}/'
const edgesPath = `${tablePath}edges/`
/** The beginnings of the paths of versions. */
const versionPaths = ['history/', 'restore/'].map((path) => `${tablePath}data/{record}/${path}`)

/** What the document of an app is made of. */
export interface DescribedApp {
  /** The document of the whole API. */
  whole: OpenApiDocument
  /** The path prefix of the site. */
  mount: string
  /** The slug and the name of the app. */
  app: string
  name: string
  /** All tables of the app that the caller may see. */
  tables: readonly DescribedTable[]
  /** The names of the tables that the document is about. */
  shown: ReadonlySet<string>
}

/**
 * Reads what the document of an app is made of. `names`: the tables that it is about; omitted: all. Throws
 * 404 if the app does not exist, and 400 for a table that does not.
 */
export async function describeApp(
  ctx: RequestContext,
  general: Pick<DescribedApp, 'whole' | 'mount' | 'app'>,
  names?: readonly string[],
): Promise<DescribedApp> {
  const { name, tables } = await describeTables(ctx, general.app)
  const known = tables.map((table) => table.name)
  const unknown = names?.filter((one) => !known.includes(one)) ?? []
  if (unknown.length > 0) throw invalidFields({ tables: unknown.map(noSuchTable) })
  return { ...general, name, tables, shown: new Set(names ?? known) }
}

const noSuchTable = (name: string): string => `The app has no table ${quoteValue(name)}.`

/** Returns the ETag of a document. It changes with the schemas of the app's tables, and with the service. */
export function documentTag({ whole, mount, app, name, tables, shown }: DescribedApp): string {
  const schemas = tables.map((table) => [table.name, table.schemaHash, table.isReference])
  const general = hashes.get(whole) ?? sha256(JSON.stringify(whole))
  hashes.set(whole, general)
  return sha256(JSON.stringify([general, mount, app, name, schemas, [...shown]]))
}

const hashes = new WeakMap<OpenApiDocument, string>()

/** Returns the document of an app, made from the document of the whole API. */
export function appDocument({ whole, mount, app, name, tables: all, shown }: DescribedApp): AppDocument {
  const tables = all.filter((table) => shown.has(table.name))
  const generalPaths = Object.entries(whole.paths).filter(([path]) => path.startsWith(tablePath))
  const dependent = referencesTo(tableSchemas, whole.components.schemas)
  const own = tables.filter(({ isReference }) => !isReference)
  const shared: SharedComponents = { parameters: {}, schemas: {} }
  const paths = tables.flatMap((table) =>
    generalPaths
      .filter(([path]) => table.edges || !path.startsWith(edgesPath))
      .filter(([path]) => table.schema.history || !versionPaths.some((start) => path.startsWith(start)))
      .map(([path, operations]) => [
        path.replace('{app}', app).replace('{table}', table.name),
        Object.fromEntries(
          Object.entries(operations)
            .filter(([method]) => method === 'get' || !table.isReference)
            .map(([method, operation]) => [method, specialize(operation, { table, dependent, shared })]),
        ),
      ]),
  )
  return withoutUnused({
    ...whole,
    info: { ...whole.info, title: `${name}, an app of Tessera` },
    servers: [{ url: mount || '/' }],
    tags: [
      ...tables.map((table) => ({
        name: table.name,
        description: table.schema.description || `The records of the table "${table.name}".`,
        'x-schema-hash': table.schemaHash,
      })),
      ...(own.length > 0 ? [batchTag] : []),
    ],
    paths: {
      ...Object.fromEntries(paths),
      ...(own.length > 0 ? batchPathOf(whole, app, own, shared.parameters) : {}),
    },
    webhooks: {},
    components: {
      ...whole.components,
      parameters: shared.parameters,
      schemas: Object.assign(
        {},
        whole.components.schemas,
        shared.schemas,
        // A new record can contain new ones of other tables.
        ...all.map((table) => schemasOf({ table, tables: all }, whole.components.schemas, dependent)),
      ),
    },
  })
}

/** Returns the schemas of a table, and those that contain one of them (`dependent`). */
const schemasOf = (
  { table, tables }: { table: DescribedTable; tables: readonly DescribedTable[] },
  schemas: Readonly<Record<string, JsonSchema>>,
  dependent: ReadonlySet<string>,
): Record<string, unknown> => ({
  ...Object.fromEntries(
    Object.entries(schemas)
      .filter(([name]) => dependent.has(reference('schemas', name).$ref))
      .map(([name, schema]) => [ownName(table.name, name), renameReferences(schema, table.name, dependent)]),
  ),
  ...recordSchemas(table, tables),
  ...edgeSchemas(table),
  ...batchSchemas(table, renameReferences(schemas.BatchOperation, table.name, dependent) as JsonSchema),
})

/** The table of an operation, the schemas that depend on it, and the shared components of the document. */
interface Target {
  table: DescribedTable
  dependent: ReadonlySet<string>
  shared: SharedComponents
}

/** Returns an operation on any table as an operation on one table. Adds its parameters to `shared`. */
function specialize(operation: Operation, { table, dependent, shared }: Target): AppOperation {
  const { parameters, responses, requestBody, ...rest } = renameReferences(
    operation,
    table.name,
    dependent,
  ) as Operation
  const share = (parameter: Parameter) => {
    // Generators make names of types from these names, and drop a leading underscore. So `page` and `_page`
    // would become the same name.
    const name = `${operation.operationId}.${parameter.name.replace(/^_/, 'underscore_')}`
    shared.parameters[name] = parameter
    return reference('parameters', name)
  }
  const filtered = takesFilters(operation, table) ? table.schema.fields : []
  const omitted = omittedParameters(operation, table)
  return {
    ...rest,
    ...(requestBody ? { requestBody: { ...requestBody, content: withoutLines(requestBody.content) } } : {}),
    responses: withoutUnusedMedia(responses, table),
    operationId: `${operation.operationId}_${table.name}`,
    tags: [table.name],
    parameters: [
      ...parameters.filter(({ name }) => !omitted.has(name)).map(share),
      ...filtered.flatMap((field) => shareFilters(field, table.name, shared)),
      ...(filtered.length > 0 ? shareRanges(table, shared) : []),
    ],
  }
}

/**
 * Parameters that the path already determines, and those that change the form of the response, because typed
 * clients would have to distinguish two types.
 */
const omittedEverywhere = ['app', 'table', envelopeParameter, '_bom']
/**
 * This parameter is omitted for the same reason from writes that return records. A deletion returns records
 * only if the request asks for them.
 */
const returnParameter = 'return'
const returnsOnRequest = ({ operationId }: Operation): boolean =>
  operationId === 'deleteRecord' || operationId === 'deleteRecords'

const isList = ({ operationId }: Operation): boolean => operationId === 'listRecords'
const isRead = ({ operationId }: Operation): boolean => operationId === 'getRecord'

/**
 * Tells whether an operation accepts filters. When one record is read, they filter the nodes of a traversal.
 */
const takesFilters = (operation: Operation, { edges }: DescribedTable) =>
  isList(operation) || (isRead(operation) && edges !== undefined)

/** Returns the names of the parameters that an operation does not have for this table. */
function omittedParameters(operation: Operation, { edges, schema }: DescribedTable): ReadonlySet<string> {
  const omitted = [
    ...omittedEverywhere,
    ...(returnsOnRequest(operation) ? [] : [returnParameter]),
    ...(schema.history ? [] : [asOfParameter]),
  ]
  if (edges) return new Set(omitted)
  const selection = isRead(operation) ? selectionParameters : []
  return new Set([...omitted, 'format', ...graphParameters, ...selection])
}

const graphTypes = [mediaTypeOf('tree'), mediaTypeOf('graph'), mediaTypeOf('include')]

const lineTypes: readonly string[] = Object.values(streamTypes)

/** Removes the bodies of CSV and JSON lines, for the same reason. */
const withoutLines = (content: Content): Content =>
  Object.fromEntries(Object.entries(content).filter(([mediaType]) => !lineTypes.includes(mediaType)))

/** Removes the media types that the table does not have, those without an envelope, and those of lines. */
function withoutUnusedMedia(
  responses: Operation['responses'],
  { edges }: DescribedTable,
): Operation['responses'] {
  const unused = [bareType, mediaTypeOf('minimal'), ...lineTypes, eventType, ...(edges ? [] : graphTypes)]
  return Object.fromEntries(
    Object.entries(responses).flatMap(([status, response]) => {
      if (!('content' in response) || !response.content) return [[status, response]]
      const content = Object.fromEntries(
        Object.entries(response.content).filter(([mediaType]) => !unused.includes(mediaType)),
      )
      return Object.keys(content).length > 0 ? [[status, { ...response, content }]] : []
    }),
  )
}

/** The schemas that depend on the table. Each table has its own. */
const tableSchemas = [
  'AnyRecord',
  'NewRecord',
  'RecordReplacement',
  'RecordChange',
  'NamedRecordChange',
  'OperationData',
  'Edge',
  'NewEdge',
]

/** Returns the name of a general schema for one table: `AnyRecord` becomes `<table>.Record`. */
const ownName = (table: string, name: string): string => `${table}.${name === 'AnyRecord' ? 'Record' : name}`

/** Rewrites references to general schemas as references to the schemas of one table. */
function renameReferences(value: unknown, table: string, dependent: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((member) => renameReferences(member, table, dependent))
  if (typeof value !== 'object' || value === null) return value
  const { $ref } = value as JsonSchema
  if (typeof $ref === 'string' && dependent.has($ref))
    return reference('schemas', ownName(table, $ref.slice($ref.lastIndexOf('/') + 1)))
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, renameReferences(member, table, dependent)]),
  )
}
