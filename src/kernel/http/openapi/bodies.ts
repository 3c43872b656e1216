/**
 * Schemas that many answers share: the shapes of errors, pages, and simple types. Spec: Errors, body shapes.
 */
import * as z from 'zod'
import { type ErrorCode, errorCodes } from '../../error-codes.ts'
import type { Answer } from './describe.ts'

/** The code of an error, as the member `code` and as a header. */
export const errorCode = z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]).meta({
  id: 'ErrorCode',
  description: 'What went wrong, in one word. Texts may change, codes do not. Codes may be added.',
})

/** The error `{detail}`, in one sentence. A 404 or 405 may add a hint. */
export const detail = z
  .object({
    detail: z.string().describe('A description of the error.'),
    hint: z.string().optional().describe('Advice on the request. Only some 404 and 405 have it.'),
    code: errorCode,
  })
  .meta({ id: 'Detail', description: 'An error.' })

/** The error `{field: [messages]}`. */
export const fieldMessages = z.record(z.string(), z.array(z.string())).meta({
  id: 'FieldMessages',
  description: 'Validation errors by field. Errors of the whole body are under `non_field_errors`.',
})

/** The error `{error, detail: {field: [messages]}}` of the secret store. */
export const fieldErrorDetail = z
  .object({
    error: z.string().describe('The kind of error.'),
    detail: z.record(z.string(), z.array(z.string())).describe('The messages by field.'),
    code: errorCode,
  })
  .meta({ id: 'SecretFieldMessages', description: 'Validation errors by field.' })

/**
 * The error `{error, details: {field: [messages]}}` of records and edges. Spec: Errors, data service writes.
 */
export const validationFailed = z
  .object({
    error: z.literal('Validation failed').describe('The kind of error.'),
    details: z.record(z.string(), z.array(z.string())).describe('The messages by field or query parameter.'),
    code: errorCode,
  })
  .meta({
    id: 'ValidationFailed',
    description:
      'Validation errors by field or query parameter. In a bulk write, each message begins with its row.',
  })

/** The error `{error, detail}` of the data service and the secret store. */
export const errorDetail = z
  .object({
    error: z.string().describe('The kind of error.'),
    detail: z.string().describe('A description of the error.'),
    code: errorCode,
  })
  .meta({ id: 'ErrorDetail', description: 'An error, with its kind.' })

/** An error of SCIM. RFC 7644 §3.12. */
export const scimError = z
  .object({
    schemas: z.array(z.string()).describe('The name of the schema of errors.'),
    status: z.string().describe('The status, as a string.'),
    scimType: z.string().optional().describe('The kind of mistake, for example `invalidFilter`.'),
    detail: z.string().describe('A description of the error.'),
  })
  .meta({ id: 'ScimError', description: 'An error of SCIM.' })

/** Wraps an answer about events or functions in its envelope. */
export const success = <Message extends string, Data>(message: Message, data: Data) => ({
  success: true as const,
  message,
  data,
})

/** A timestamp in UTC, for example `2026-01-31T12:00:00Z`. */
export const timestamp = z.string().meta({ format: 'date-time' })
export const uuid = z.string().meta({ format: 'uuid' })
/** A numeric id. */
export const id = z.int().min(1)
/** A number of items. */
export const count = z.int().min(0)

/** Who created and changed a resource, and when. */
export const provenance = {
  created_at: timestamp.describe('The time of its creation.'),
  updated_at: timestamp.describe('The time of its last change.'),
  created_by: id.describe('The id of the account that created it.'),
  modified_by: id
    .nullable()
    .describe('The id of the account that changed it last; null if it was never changed.'),
}

const page = z.object({
  count: count.meta({ description: 'The number of items on all pages.' }),
  next: z
    .string()
    .nullable()
    .meta({ format: 'uri', description: 'The URL of the next page. Null on the last page.' }),
  previous: z
    .string()
    .nullable()
    .meta({ format: 'uri', description: 'The URL of the previous page. Null on the first page.' }),
})

/** Returns the schema of a page of a list. W2. */
export const pageOfItems = <Item extends z.ZodType>(item: Item) =>
  page.extend({ results: z.array(item).describe('The items of this page.') })

/** Returns the schema of a list that is a bare array. */
export const bareArray = <Item extends z.ZodType>(item: Item) =>
  ({ body: z.array(item), headers: ['X-Total-Count'] }) satisfies Answer

/** Returns the schema of a page whose list is called `items`. W2. */
export const itemsPage = <Item extends z.ZodType>(item: Item) =>
  page.extend({ items: z.array(item).describe('The items of this page.') })
