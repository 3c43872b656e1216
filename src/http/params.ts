/** Parameters of a path that are no text. */
import { notFound } from '../errors.ts'

/** An id: whatever is none, nothing has. */
export function numericParam(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw notFound()
  return Number(text)
}
