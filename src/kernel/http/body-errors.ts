/** The errors of bodies that cannot be read. W1. */
import { type AppError, detail } from '../errors.ts'
import { faultText, type JsonFault } from '../lib/json-fault.ts'
import { quoteValue } from '../lib/quote-value.ts'

/** The 400 of a request without the body that its operation requires. */
export const missingBody = () =>
  detail(400, 'body_missing', 'This operation requires a body: send a JSON object.')

/** The body cannot be parsed. */
export const malformedJson = () => detail(400, 'malformed_body', 'The body is not valid JSON.')

/** An object in the body has the same name twice. R6. */
const duplicateName = (name: string) =>
  detail(400, 'malformed_body', `The body has the name ${quoteValue(name)} twice in one object.`)

/** The body is JSON that must not be parsed. */
export function jsonRefused(fault: JsonFault): AppError {
  if (fault.kind === 'repeated') return duplicateName(fault.name)
  if (fault.kind === 'rows') return tooManyRows(fault.max)
  const isTooLarge = fault.kind === 'values' || fault.kind === 'elements'
  const [status, code] = isTooLarge ? ([413, 'too_many_items'] as const) : ([400, 'too_complex'] as const)
  return detail(status, code, `The body cannot be accepted. ${faultText(fault)}`)
}

/** The 413 for too many records in a body. R9 */
export const tooManyRows = (rowsMax: number) =>
  detail(413, 'too_many_items', `A request may have at most ${rowsMax} records.`)

/** The body exceeds the limit. */
export const bodyTooLarge = (bytesMax: number) =>
  detail(413, 'body_too_large', `The body is larger than ${bytesMax} bytes.`)

/** A form has too many fields. */
export const tooManyFields = (max: number) =>
  detail(413, 'too_many_items', `A form may have at most ${max} fields.`)

/** The body has another content type than one of these. */
export const unsupportedMediaType = (types: readonly string[] = ['application/json']) =>
  detail(
    415,
    'unsupported_media_type',
    `The body must be ${types.join(', ').replace(/, ([^,]*)$/, ' or $1')}.`,
  )

/** The Content-Type of a body declares another encoding than UTF-8. */
export const unsupportedCharset = (declared: string) =>
  detail(
    415,
    'unsupported_media_type',
    `The body must be UTF-8, but its Content-Type declares the charset ${quoteValue(declared)}.`,
  )

/** The body is not text in UTF-8. */
export const notUtf8 = () => detail(400, 'malformed_body', 'The body is not valid UTF-8.')
