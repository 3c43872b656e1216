/** Parameters of a path or a query string that are no text. */
import { z } from 'zod'
import { notFound } from '../errors.ts'

/** An id: whatever is none, nothing has. */
export function numericParam(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw notFound()
  return Number(text)
}

/** A UUID: whatever is none, nothing has. */
export function uuidParam(text: string): string {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) throw notFound()
  return text
}

export const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

/** Of lists of what can be inactive: which of the two they show. */
export const activeFilter = { is_active: flag.default(true).meta({ description: '`false` shows the inactive ones alone.' }) }
