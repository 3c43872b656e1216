/** Validation of what comes in, from the zod schema that also documents it. Spec: Errors, field validation. */
import { zValidator } from '@hono/zod-validator'
import type { z } from 'zod'
import { AppError, invalidFields, type Json } from '../errors.ts'

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
export function fieldMessages(issues: readonly Issue[]): Record<string, string[]> {
  const fields = new Map<string, string[]>()
  const add = (field: string, message: string) => fields.set(field, [...(fields.get(field) ?? []), message])
  for (const issue of issues) {
    const field = issue.path.map(String).join('.')
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) add(field ? `${field}.${key}` : key, 'Unknown field.')
    } else {
      add(field || 'non_field_errors', message(issue))
    }
  }
  return Object.fromEntries(fields)
}

function message(issue: Issue): string {
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return 'This field is required.'
    if (issue.input === null) return 'This field may not be null.'
    return `Expected ${issue.expected}.`
  }
  if (issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1) return 'This field may not be blank.'
  if (issue.code === 'too_small' && issue.origin === 'string') return `Ensure this field has at least ${issue.minimum} characters.`
  if (issue.code === 'too_big' && issue.origin === 'string') return `Ensure this field has no more than ${issue.maximum} characters.`
  if (issue.code === 'invalid_value') return `Must be one of: ${issue.values.map(String).join(', ')}.`
  return issue.message
}

/** For areas whose bodies are `{error, details}`. */
export const validationFailed: FieldDialect = (details) => new AppError(400, { error: 'Validation failed', details } as Json)
