/** The headers that the reference describes: one row each. */
import { codeHeader } from '../../errors.ts'
import { reference } from './components.ts'
import type { JsonSchema } from './types.ts'

interface HeaderRow {
  description: string
  schema: JsonSchema
}

const headers: Readonly<Record<string, HeaderRow>> = {
  'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } },
  'Retry-After': {
    description: 'The number of seconds to wait before the next attempt.',
    schema: { type: 'integer' },
  },
  RateLimit: {
    description:
      'The name of the limit (a string), the number of requests left (`r`), ' +
      'and the seconds until the limit is reset (`t`).',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description:
      'The name of the limit (a string), the number of requests (`q`), and its window in seconds (`w`).',
    schema: { type: 'string' },
  },
  'X-Total-Count': {
    description: 'The number of items in the whole list. Absent if it was not counted.',
    schema: { type: 'integer' },
  },
  'X-Schema-Hash': {
    description:
      "The hash of the table's schema (`schema_hash`). A client can detect that its types were " +
      'generated from another schema.',
    schema: { type: 'string' },
  },
  'Content-Disposition': {
    description: 'For answers that are saved as a file: the name of the file.',
    schema: { type: 'string' },
  },
  ETag: { description: 'The entity tag of the current state of the resource.', schema: { type: 'string' } },
  'If-Match': {
    description:
      'The ETag of the state that the client has seen. If the resource has changed since, the answer is 412.',
    schema: { type: 'string' },
  },
  'If-None-Match': {
    description:
      'The ETag of the state that the client has. If the resource has not changed since, the answer is 304.',
    schema: { type: 'string' },
  },
  'Idempotency-Key': {
    description:
      'A string of 1 to 255 visible ASCII characters, new for each request. For 24 hours, a repetition of ' +
      'the request with the same key returns the first answer, and writes nothing.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  },
  'Idempotency-Replayed': {
    description: '`true` if this is the answer of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string' },
  },
  'Cache-Control': {
    description:
      '`max-age=30`: the answer may be up to 30 seconds old. If the service has a replica of the database, ' +
      "it may then read from it. The caller's rights are always current.",
    schema: { type: 'string' },
  },
  Age: {
    description:
      'The age of the answer in seconds, rounded up. Absent if it is from the primary database and thus ' +
      'not old.',
    schema: { type: 'integer' },
  },
  'X-View-As': {
    description:
      'The id of a person of the site: returns what that person would get. The caller needs ' +
      '`admin_site` and a token. Every such request is in the audit log.',
    schema: { type: 'string', pattern: '^[1-9]\\d{0,14}$' },
  },
  [codeHeader]: { description: 'The code of the error.', schema: reference('schemas', 'ErrorCode') },
  Location: { description: 'The URL of the new resource.', schema: { type: 'string' } },
  'Set-Cookie': { description: 'The session cookie.', schema: { type: 'string' } },
}

/** Returns the row of a header. Throws if there is none. */
export function headerRow(name: string): HeaderRow {
  const row = headers[name]
  if (!row) throw new Error(`The header "${name}" has no row in headers.ts.`)
  return row
}
