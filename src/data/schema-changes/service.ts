/**
 * Changes datatables, and lists their operation history. Spec: Datatable, Migration operation status; D8, D9,
 * D13.
 */

import type { RequestContext } from '../../kernel/context.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { namesTag } from '../../kernel/http/entity-tags.ts'
import { requireSame } from '../../kernel/http/fixed-members.ts'
import { boundedRangeOf, pageNumber } from '../../kernel/http/lists/range.ts'
import { planOf, unlessKept, withCatalog } from '../catalog/catalog.ts'
import { tableNotFound } from '../catalog/errors.ts'
import { ownTableOf, type TablePath, tableOf } from '../catalog/find-table.ts'
import type { Datatable } from '../datatables/schema.ts'
import { selectDatatablesByName } from '../datatables/store.ts'
import { asDatatable, datatableAgain } from '../datatables/views.ts'
import { isInMongodb } from '../providers/mongodb/capabilities.ts'
import { type AcceptedLosses, acceptedLosses } from './accepted-losses.ts'
import { changeCollection, tidyUp } from './change-collection.ts'
import { attemptOf, changeOnline, needsSession, refuseLosses } from './change-online.ts'
import { commitChange } from './commit-change.ts'
import { changeInProgress, SchemaChangedMeanwhile, schemaNotSeen } from './errors.ts'
import { examineChange, type NewSchema, type SchemaChange } from './examine-change.ts'
import { measureSteps } from './measure-steps.ts'
import { recordingFailure } from './recording-failure.ts'
import { retryOnLock } from './retry-on-lock.ts'
import type {
  Changes,
  DatatableUpdate,
  HistoryQuery,
  OperationHistory,
  RunningChange,
  UpdateQuery,
} from './schema.ts'
import { list, selectFixed, selectOperations, updateDescription } from './store.ts'
import { hasDeleted } from './trash/store.ts'
import { asChange, asOperation } from './views.ts'

export { replaceAppAccess } from './app-access.ts'

type Path = TablePath & { table: string }

/** A change: the members of the request, and the new schema. Undefined `schemaOf`: it stays. */
interface TableUpdate {
  input: DatatableUpdate
  schemaOf: NewSchema | undefined
}

/**
 * Changes the description or the schema of a datatable, or both. A materialized table is changed as well, or
 * nothing is. A dry run returns the steps. `ifMatch` contains the tags of the schemas that the client has
 * seen; without it, any schema will do. Throws 412 for another schema, and 422 if the change can lose data
 * and the query does not allow it.
 */
export const updateDatatable = (
  ctx: RequestContext,
  path: Path,
  input: DatatableUpdate,
  query: UpdateQuery,
  ifMatch?: string,
): Promise<Datatable | RunningChange | Changes> => {
  const schemaOf = input.json_schema === undefined ? undefined : () => input.json_schema
  return updateSchema(ctx, path, { input, schemaOf }, query, ifMatch)
}

/** Changes a datatable as `updateDatatable` does, to a schema that is made of the present one. */
export const updateSchema = (
  ctx: RequestContext,
  path: Path,
  { input, schemaOf }: TableUpdate,
  query: UpdateQuery,
  ifMatch?: string,
): Promise<Datatable | RunningChange | Changes> =>
  unlessKept(ctx, path.app, datatableAgain, () =>
    ifMatch === undefined
      ? examineAndUpdate(ctx, path, { input, schemaOf }, query)
      : examineAndUpdate(ctx, path, { input, schemaOf: seen(schemaOf, ifMatch) }, query).catch(
          (error: unknown) => {
            throw error instanceof SchemaChangedMeanwhile ? schemaNotSeen(path.table) : error
          },
        ),
  )

/** Checks the present schema before the new one is made: throws 412 if the tags do not name it. */
const seen = (schemaOf: NewSchema | undefined, ifMatch: string): NewSchema | undefined =>
  schemaOf &&
  ((before, catalog) => {
    if (!namesTag(ifMatch, before.schemaHash)) throw schemaNotSeen(before.name)
    return schemaOf(before, catalog)
  })

async function examineAndUpdate(
  ctx: RequestContext,
  path: Path,
  { input, schemaOf }: TableUpdate,
  query: UpdateQuery,
): Promise<Datatable | RunningChange | Changes> {
  const { description } = input
  if (!schemaOf) {
    const datatable = await describe(ctx, path, input, query.dry_run ? undefined : description)
    return query.dry_run ? { changes: [] } : datatable
  }
  const change = await examineChange(ctx, path, schemaOf, input)
  if (query.dry_run) return { changes: (await measureSteps(ctx, change)).map(asChange) }
  refuseLosses(change, query.allow_data_loss)
  const isElsewhere = isInMongodb(change.before) && change.before.isMaterialized
  if (change.steps.length === 0 && change.after.schemaHash === change.before.schemaHash) {
    if (isElsewhere) await tidyUp(ctx, change)
    return describe(ctx, path, input, description)
  }
  if (change.isChanging) throw changeInProgress(path.table)
  const accepts = acceptedLosses(change.steps, query.allow_data_loss)
  const commit = () => changeAtOnce(ctx, change, description ?? null, accepts)
  if (isElsewhere) return changeCollection(ctx, change, commit)
  if (!needsSession(change)) return commit()
  return changeOnline(ctx, change, {
    app: path.app,
    table: path.table,
    json_schema: change.sent,
    description: description ?? null,
    allow_data_loss: query.allow_data_loss,
    schema_hash: change.before.schemaHash,
    accepts,
  })
}

/** Makes an examined change of which nothing needs a session of its own. `description` null keeps it. */
const changeAtOnce = (
  ctx: RequestContext,
  change: SchemaChange,
  description: string | null,
  accepts: AcceptedLosses,
): Promise<Datatable> =>
  recordingFailure(ctx, attemptOf(change), () =>
    retryOnLock(() => commitChange(ctx, change, description, { accepts })),
  )

/** Sets the description, if there is one, and returns the datatable. */
const describe = (
  ctx: RequestContext,
  path: Path,
  input: DatatableUpdate,
  description: string | undefined,
): Promise<Datatable> =>
  withCatalog(
    ctx,
    path.app,
    // Storing the answer for a repetition is a write, too.
    description === undefined && !ctx.requestKey ? 'read' : 'write',
    (catalog) => {
      const table = ownTableOf(catalog, path)
      return planOf({
        statements: {
          same: requireSame(input, selectFixed(catalog.app.id, table.name)),
          described:
            description === undefined
              ? undefined
              : updateDescription(requireCaller(ctx).userId, table.id, description),
          datatable: selectDatatablesByName(catalog.app.id, [table.name]),
        },
        finish: ({ datatable }) => asDatatable(datatable.one),
      })
    },
    datatableAgain,
  )

/**
 * Lists the operations on a datatable, also on a deleted one that can be restored. Throws 404 for other
 * names.
 */
export const listOperations = (
  ctx: RequestContext,
  path: Path,
  query: HistoryQuery,
): Promise<OperationHistory> =>
  withCatalog(ctx, path.app, 'read', (catalog) => {
    const { table: name, datasource = null } = path
    const exists = catalog.tables.has(name) && tableOf(catalog, path) !== undefined
    const part = boundedRangeOf(query, list)
    return planOf({
      statements: {
        ...selectOperations(catalog.app.id, name, query),
        deleted: hasDeleted(catalog.app.id, { name, datasource, id: null }),
      },
      finish({ count, page, deleted }) {
        if (!exists && !deleted.one.exists) throw tableNotFound(name, path.app)
        return {
          data: page.all.map(asOperation),
          total: count.one.count,
          page: pageNumber(part),
          page_size: part.limit,
        }
      },
    })
  })
