import { z } from 'zod'
import { count } from '../../../http/openapi/bodies.ts'
import { tableNameRule } from '../errors.ts'
import { isTableName } from '../names.ts'
import { datatable } from '../schema.ts'

const reference = z.strictObject({
  source_app_slug: z.string().min(1).describe('The slug of the app that has the table.'),
  source_table_name: z.string().min(1).describe('The name of the table in that app.'),
  reference_name: z.string().refine(isTableName, tableNameRule).optional().meta({ description: 'Omitted: the name of the source table.' }),
})

export const referenceInput = reference.transform(({ source_app_slug, source_table_name, reference_name }) => ({
  sourceApp: source_app_slug,
  sourceTable: source_table_name,
  name: reference_name ?? source_table_name,
}))
export type ReferenceInput = z.output<typeof referenceInput>

const referencesMax = 200
const { $schema, ...item } = z.toJSONSchema(reference)

/** One reference, or an array of them. Each is checked by itself (import.ts), so that of an array the others are made. */
export const importInput = z
  .unknown()
  .refine((input) => !Array.isArray(input) || input.length <= referencesMax, {
    message: `Ensure this request has no more than ${referencesMax} references.`,
  })
  .meta({ anyOf: [item, { type: 'array', items: item, maxItems: referencesMax }] })

export const importReport = z
  .object({
    created: count.describe('How many references were created.'),
    failed: count.describe('How many were not.'),
    references: z.array(datatable).describe('The references that were created.'),
    errors: z
      .array(
        z.object({
          index: count.describe('The position in the request, counted from 0.'),
          reference: z.unknown().describe('The reference as it was sent.'),
          error: z.string().describe('Why it was not created.'),
        }),
      )
      .describe('Those that were not created.'),
  })
  .meta({ id: 'ImportReport', description: 'What became of each reference.' })
export type ImportReport = z.infer<typeof importReport>
