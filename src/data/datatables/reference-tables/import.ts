/** Imports tables of other apps as references. Spec: Import-reference rules; T3. */
import type { RequestContext } from '../../../kernel/context.ts'
import type { Rows } from '../../../kernel/db/batch.ts'
import { requireCaller } from '../../../kernel/db/entering.ts'
import { quotaMessage } from '../../../kernel/db/quotas.ts'
import { NoTenant } from '../../../kernel/db/tenant.ts'
import type { Config } from '../../../kernel/env.ts'
import { type AppError, invalidFields, quotaExceeded } from '../../../kernel/errors.ts'
import { messagesByField } from '../../../kernel/http/validate.ts'
import { planOf, withCatalog } from '../../catalog/catalog.ts'
import type { Datatable } from '../schema.ts'
import { lockTables, selectDatatablesByName } from '../store.ts'
import { asDatatable, type DatatableRow } from '../views.ts'
import { inPublicSchema } from './errors.ts'
import { type ImportReport, type ReferenceInput, referenceInput } from './schema.ts'
import { type FoundSource, insertReferences, selectSources } from './store.ts'

/** Imports one reference. Throws 400 if it is invalid, and 422 if the app has too many tables. */
export async function importReference(ctx: RequestContext, app: string, item: unknown): Promise<Datatable> {
  const [result] = await importAll(ctx, app, [item])
  if (result?.error) throw result.error
  return asDatatable((result as Imported).row)
}

/** Imports the valid references of an array, and reports the errors of the others. */
export async function importReferences(
  ctx: RequestContext,
  app: string,
  items: readonly unknown[],
): Promise<ImportReport> {
  const references: ImportReport['references'] = []
  const errors: ImportReport['errors'] = []
  for (const [index, result] of (await importAll(ctx, app, items)).entries()) {
    if (result.error) errors.push({ index, reference: items[index], error: asText(result.error) })
    else references.push(asDatatable(result.row))
  }
  return { created: references.length, failed: errors.length, references, errors }
}

interface Imported {
  row: DatatableRow
  error?: undefined
}
interface Rejected {
  /** The error that a request for this reference only would get. */
  error: AppError
}

/** Returns the messages of an error as one text. */
function asText({ body }: AppError): string {
  const texts: string[] = []
  for (const [field, message] of Object.entries(body as Record<string, string | readonly string[]>)) {
    if (typeof message !== 'string') texts.push(`${field}: ${message.join(' ')}`)
    else if (field === 'detail') texts.push(message)
  }
  return texts.join(' ')
}

interface ImportRows {
  found: Rows<FoundSource>
  datatables: Rows<DatatableRow>
}

/**
 * Imports the inputs that can be imported. Looks at them first, without any lock: what is wrong needs no
 * place among the schema changes of the site. Then runs in schema mode, so that no source can be deleted in
 * the meantime.
 */
async function importAll(
  ctx: RequestContext,
  app: string,
  items: readonly unknown[],
): Promise<(Imported | Rejected)[]> {
  const parsed = items.map((item) => referenceInput.safeParse(item))
  const inputs = parsed.flatMap(({ data }) => data ?? [])
  const finish = ({ found, datatables }: ImportRows) => {
    const sources = found.all.values()
    const rows = new Map(datatables.all.map((row) => [row.name, row]))
    return parsed.map(({ data, error: invalid }): Imported | Rejected => {
      if (!data) return { error: invalidFields(messagesByField(invalid.issues)) }
      const error = errorOf(ctx.config, data, sources.next().value as FoundSource, rows)
      if (error) return { error }
      const row = rows.get(data.name) as DatatableRow
      // A second input with this name must find that the name is taken.
      rows.delete(data.name)
      return { row }
    })
  }
  const names = inputs.map(({ name }) => name)
  try {
    const looked = await withCatalog(ctx, app, 'read', (catalog) =>
      planOf({
        statements: {
          found: selectSources(inputs),
          datatables: selectDatatablesByName(catalog.app.id, names),
        },
        finish,
      }),
    )
    const isWrong = ({ error }: Imported | Rejected) => error !== undefined && error.status === 400
    if (looked.every(isWrong) && ctx.requestKey === null) return looked
    return await withCatalog(
      ctx,
      app,
      'schema',
      (catalog) =>
        planOf({
          statements: {
            locked: lockTables(catalog.app.id),
            found: insertReferences(ctx.config, requireCaller(ctx).userId, catalog.app.id, inputs),
            datatables: selectDatatablesByName(catalog.app.id, names),
          },
          finish,
        }),
      (rows) => ({ result: finish(rows) }),
    )
  } catch (error) {
    throw error instanceof NoTenant ? inPublicSchema() : error
  }
}

interface SourceRule {
  isBroken(source: FoundSource): boolean
  field: string
  message(input: ReferenceInput): string
}

/** The rules for sources. The first violated rule is reported. */
const sourceRules: readonly SourceRule[] = [
  {
    isBroken: (source) => !source.has_app,
    field: 'source_app_slug',
    message: ({ sourceApp }) => `There is no app "${sourceApp}" in this site.`,
  },
  {
    isBroken: (source) => !source.has_table,
    field: 'source_table_name',
    message: ({ sourceApp, sourceTable }) => `The app "${sourceApp}" has no datatable "${sourceTable}".`,
  },
  {
    isBroken: (source) => source.is_reference,
    field: 'source_table_name',
    message: ({ sourceTable }) => `"${sourceTable}" is itself a reference. Import its source instead.`,
  },
  {
    isBroken: (source) => !source.is_materialized,
    field: 'source_table_name',
    message: ({ sourceTable }) => `"${sourceTable}" is not materialized.`,
  },
  {
    isBroken: (source) => !source.has_physical_table,
    field: 'source_table_name',
    message: ({ sourceTable }) => `The physical table of "${sourceTable}" does not exist.`,
  },
]

/**
 * Returns the error of an input; undefined if its reference was created. `rows` are the tables of these
 * names.
 */
function errorOf(
  config: Config,
  input: ReferenceInput,
  source: FoundSource,
  rows: ReadonlyMap<string, DatatableRow>,
): AppError | undefined {
  const broken = sourceRules.find(({ isBroken }) => isBroken(source))
  if (broken) return invalidFields({ [broken.field]: [broken.message(input)] })
  if (source.is_made && rows.has(input.name)) return undefined
  // The name is free, so only the quota can have prevented the reference.
  if (!source.is_made && !rows.has(input.name)) return quotaExceeded(quotaMessage(config, 'QUOTA_TABLES'))
  return invalidFields({
    reference_name: [`A datatable named "${input.name}" already exists in this app.`],
  })
}
