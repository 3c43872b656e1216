/** Validation of what comes in, from the zod schema that also documents it. Spec: Errors, field validation. */
import '../lib/zod-messages.ts'
import { zValidator } from '@hono/zod-validator'
import type { z } from 'zod'
import { type AppError, invalidFields } from '../errors.ts'

/** How an area words the fields at fault. */
export type FieldDialect = (fields: Record<string, string[]>) => AppError

/** The JSON body. In `c.req.valid('json')` it is what the schema made of it. */
export const body = <Schema extends z.ZodType>(schema: Schema, dialect: FieldDialect = invalidFields) =>
  zValidator('json', schema, (result) => {
    if (!result.success) throw dialect(fieldMessages(result.error.issues))
  })

/** The query string. */
export const query = <Schema extends z.ZodType>(schema: Schema, dialect: FieldDialect = invalidFields) =>
  zValidator('query', schema, (result) => {
    if (!result.success) throw dialect(fieldMessages(result.error.issues))
  })

type Issue = z.core.$ZodIssue

/** Messages by field; what concerns the whole body stands under `non_field_errors`. */
function fieldMessages(issues: readonly Issue[]): Record<string, string[]> {
  const fields = new Map<string, string[]>()
  const add = (field: string, message: string) => fields.set(field, [...(fields.get(field) ?? []), message])
  for (const issue of issues) {
    const field = issue.path.map(String).join('.')
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) add(field ? `${field}.${key}` : key, 'Unknown field.')
    } else {
      add(field || 'non_field_errors', issue.message)
    }
  }
  return Object.fromEntries(fields)
}
