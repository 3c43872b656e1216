/** The bodies of importing references. */
import * as z from 'zod'
import { count } from '../../../kernel/http/openapi/bodies.ts'
import { isTableName, tableNamePattern } from '../../model/names.ts'
import { tableNameRule } from '../errors.ts'
import { datatable } from '../schema.ts'

const reference = z.strictObject({
  source_app_slug: z.string().min(1).describe('The slug of the app with the source table.'),
  source_table_name: z.string().min(1).describe('The name of the source table in that app.'),
  reference_name: z.string().refine(isTableName, tableNameRule).optional().meta({
    pattern: tableNamePattern.source,
    description: 'The name of the reference. Default: the name of the source table.',
  }),
})

/** A reference to import. */
export const referenceInput = reference.transform(
  ({ source_app_slug, source_table_name, reference_name }) => ({
    sourceApp: source_app_slug,
    sourceTable: source_table_name,
    name: reference_name ?? source_table_name,
  }),
)
/** A parsed reference to import. */
export type ReferenceInput = z.output<typeof referenceInput>

const referencesMax = 200
const { $schema, ...item } = z.toJSONSchema(reference)

/**
 * The body: one reference, or an array. Each is checked separately (import.ts), so that the valid ones are
 * imported.
 */
export const importInput = z
  .unknown()
  .refine((input) => !Array.isArray(input) || input.length <= referencesMax, {
    message: `Ensure this request has no more than ${referencesMax} references.`,
  })
  .meta({ anyOf: [item, { type: 'array', items: item, maxItems: referencesMax }] })

/** The answer to an array of references. */
export const importReport = z
  .object({
    created: count.describe('The number of created references.'),
    failed: count.describe('The number of rejected references.'),
    references: z.array(datatable).describe('The created references.'),
    errors: z
      .array(
        z.object({
          index: count.describe('The position in the request, from 0.'),
          reference: z.unknown().describe('The reference as it was sent.'),
          error: z.string().describe('Why it was rejected.'),
        }),
      )
      .describe('The rejected references.'),
  })
  .meta({ id: 'ImportReport', description: 'The result for each reference.' })
/** The result for each reference of an array. */
export type ImportReport = z.infer<typeof importReport>
