/** The bodies that many answers have: the dialects of failures, and the simple types of what is shown. Spec: Errors, body shapes. */
import { z } from 'zod'
import type { Answer } from './describe.ts'

/** A failure in one sentence. */
export const detail = z.object({ detail: z.string().describe('What failed.') }).meta({ id: 'Detail', description: 'A failure, in a sentence.' })

/** Messages by field. */
export const fieldMessages = z
  .record(z.string(), z.array(z.string()))
  .meta({ id: 'FieldMessages', description: 'What is wrong, by field. What concerns the whole body stands under `non_field_errors`.' })

/** The same in the words of the secret store. */
export const fieldErrorDetail = z
  .object({ error: z.string().describe('The kind of failure.'), detail: z.record(z.string(), z.array(z.string())).describe('Messages by field.') })
  .meta({ id: 'SecretFieldMessages', description: 'What is wrong, by field.' })

/** The same of records: the fields of a write, or the parameters of a query. Spec: Errors, data service writes. */
export const validationFailed = z
  .object({
    error: z.literal('Validation failed').describe('The kind of failure.'),
    details: z.record(z.string(), z.array(z.string())).describe('Messages by field or parameter.'),
  })
  .meta({ id: 'ValidationFailed', description: 'What is wrong, by field or parameter; in a bulk write each message begins with its row.' })

/** Failures of the data service and the secret store. */
export const errorDetail = z
  .object({ error: z.string().describe('The kind of failure.'), detail: z.string().describe('What failed.') })
  .meta({ id: 'ErrorDetail', description: 'A failure: its kind, and what it was.' })

export const timestamp = z.string().meta({ format: 'date-time' })
export const uuid = z.string().meta({ format: 'uuid' })
export const id = z.int().min(1)
export const count = z.int().min(0)

const page = z.object({
  count: count.meta({ description: 'How many there are on all pages.' }),
  next: z.string().nullable().meta({ format: 'uri', description: 'The address of the next page; null on the last one.' }),
  previous: z.string().nullable().meta({ format: 'uri', description: 'The address of the previous page; null on the first one.' }),
})

/** A page of a list. W2. */
export const pageOfItems = <Item extends z.ZodType>(item: Item) => page.extend({ results: z.array(item).describe('The page.') })

/** A list that is answered as a bare array. */
export const bareArray = (item: z.ZodType): Answer => ({ body: z.array(item), headers: ['X-Total-Count'] })

/** The same page where the list is called `items`. */
export const itemsPage = <Item extends z.ZodType>(item: Item) => page.extend({ items: z.array(item).describe('The page.') })
