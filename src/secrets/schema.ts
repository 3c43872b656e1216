/** The schemas that types, secrets and tags share in the API. */
import * as z from 'zod'
import { errorCode } from '../kernel/http/openapi/bodies.ts'

/** The name of a type or a tag. Spec: Limits, secret type and tag name pattern. */
export const name = z
  .string()
  .max(100)
  .regex(/^[a-zA-Z0-9_-]+$/, 'A name can have letters, digits, hyphens and underscores.')

/** The response to a deletion. */
export const confirmation = z
  .object({
    message: z.string().describe('A short confirmation.'),
    detail: z.string().describe('A confirmation that names what was deleted.'),
  })
  .meta({ id: 'Done', description: 'A confirmation.' })
/** The response to a deletion. */
export type Confirmation = z.infer<typeof confirmation>

/** The sensitivity of values. Spec: Secret type. */
export const sensitivityLevels = ['public', 'private', 'sensitive'] as const
export type SensitivityLevel = (typeof sensitivityLevels)[number]

/** The 400 for a name or a key that is taken. */
export const duplicateValue = z
  .object({
    message: z.string().describe('The reason.'),
    field: z.string().describe('The field with the duplicate value.'),
    code: errorCode,
  })
  .meta({ id: 'Duplicate', description: 'A duplicate value.' })

/** The 400 for a field that cannot be changed. */
export const immutableField = z
  .object({
    error: z.string().describe('The reason.'),
    detail: z
      .object({
        field: z.string().describe('The name of the field.'),
        current: z.string().describe('Its current value.'),
        attempted: z.string().describe('The value that was sent.'),
      })
      .describe('The field that cannot be changed.'),
    code: errorCode,
  })
  .meta({ id: 'ImmutableField', description: 'A field that cannot be changed.' })
