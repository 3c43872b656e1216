/** Imports tables of other apps as references. Spec: Import-reference rules; T3. */
import type { RequestContext } from '../../../context.ts'
import { quotaRefusal } from '../../../db/quotas.ts'
import { NoTenant, signedIn } from '../../../db/tenant.ts'
import type { Config } from '../../../env.ts'
import { type AppError, invalidFields, quotaExceeded } from '../../../errors.ts'
import { messagesByField } from '../../../http/validate.ts'
import { withCatalog } from '../../catalog.ts'
import type { Datatable } from '../schema.ts'
import { selectDatatablesByName } from '../store.ts'
import { asDatatable, type DatatableRow } from '../views.ts'
import { inPublicSchema } from './errors.ts'
import { type ImportReport, type ReferenceInput, referenceInput } from './schema.ts'
import { type FoundSource, insertReferences } from './store.ts'

export async function importReference(ctx: RequestContext, app: string, item: unknown): Promise<Datatable> {
  const [outcome] = await makeReferences(ctx, app, [item])
  if (outcome?.refusal) throw outcome.refusal
  return asDatatable((outcome as Made).row)
}

/** Makes those that can be made, and tells of the others why they cannot. */
export async function importReferences(ctx: RequestContext, app: string, items: readonly unknown[]): Promise<ImportReport> {
  const outcomes = await makeReferences(ctx, app, items)
  const references = outcomes.flatMap(({ row }) => (row ? [asDatatable(row)] : []))
  const errors = outcomes.flatMap(({ refusal }, index) => (refusal ? [{ index, reference: items[index], error: asText(refusal) }] : []))
  return { created: references.length, failed: errors.length, references, errors }
}

interface Made {
  row: DatatableRow
  refusal?: undefined
}
interface Refused {
  /** As it would be answered of this one alone. */
  refusal: AppError
  row?: undefined
}

const asText = ({ body }: AppError): string =>
  Object.entries(body as Record<string, string | readonly string[]>)
    .flatMap(([field, said]) => (typeof said !== 'string' ? `${field}: ${said.join(' ')}` : field === 'detail' ? said : []))
    .join(' ')

/** In schema mode, so that no source is deleted meanwhile. */
async function makeReferences(ctx: RequestContext, app: string, items: readonly unknown[]): Promise<(Made | Refused)[]> {
  const read = items.map((item) => referenceInput.safeParse(item))
  const inputs = read.flatMap(({ data }) => data ?? [])
  try {
    return await withCatalog(ctx, app, 'schema', (catalog) => ({
      statements: [
        insertReferences(ctx.config, signedIn(ctx).userId, catalog.app.id, inputs),
        selectDatatablesByName(
          catalog.app.id,
          inputs.map(({ name }) => name),
        ),
      ],
      finish(results) {
        const sources = results.rows<FoundSource>(0).values()
        const rows = new Map(results.rows<DatatableRow>(1).map((row) => [row.name, row]))
        return read.map(({ data, error }): Made | Refused => {
          if (!data) return { refusal: invalidFields(messagesByField(error.issues)) }
          const refusal = refusalOf(ctx.config, data, sources.next().value as FoundSource, rows)
          if (refusal) return { refusal }
          const row = rows.get(data.name) as DatatableRow
          // A second input of this name finds it taken.
          rows.delete(data.name)
          return { row }
        })
      },
    }))
  } catch (error) {
    throw error instanceof NoTenant ? inPublicSchema() : error
  }
}

/** The rules: what has to hold, the field that breaks it, and how it is said. The first that does not hold is told. */
const rules: readonly [holds: (source: FoundSource) => boolean, field: string, message: (input: ReferenceInput) => string][] = [
  [(source) => source.has_app, 'source_app_slug', ({ sourceApp }) => `There is no app "${sourceApp}" in this site.`],
  [(source) => source.has_table, 'source_table_name', ({ sourceApp, sourceTable }) => `The app "${sourceApp}" has no datatable "${sourceTable}".`],
  [(source) => !source.is_reference, 'source_table_name', ({ sourceTable }) => `"${sourceTable}" is itself a reference: import what it refers to.`],
  [(source) => source.is_materialized, 'source_table_name', ({ sourceTable }) => `"${sourceTable}" is not materialized.`],
  [(source) => source.has_physical_table, 'source_table_name', ({ sourceTable }) => `The physical table of "${sourceTable}" does not exist.`],
]

function refusalOf(config: Config, input: ReferenceInput, source: FoundSource, rows: ReadonlyMap<string, DatatableRow>): AppError | undefined {
  const broken = rules.find(([holds]) => !holds(source))
  if (broken) return invalidFields({ [broken[1]]: [broken[2](input)] })
  if (source.is_made && rows.has(input.name)) return undefined
  // The name was free, and still none was made.
  if (!source.is_made && !rows.has(input.name)) return quotaExceeded(quotaRefusal(config, 'QUOTA_TABLES'))
  return invalidFields({ reference_name: [`A datatable named "${input.name}" exists in this app already.`] })
}
