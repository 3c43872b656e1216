/** Headers that the reference names: one row each. */
interface HeaderRow {
  description: string
  schema: { type: string; format?: string }
}

const headers: Readonly<Record<string, HeaderRow>> = {
  'WWW-Authenticate': { description: 'How to show who one is.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: { type: 'integer' } },
  RateLimit: { description: 'Which limit it was, what is left of it, and in how many seconds it begins anew.', schema: { type: 'string' } },
  'RateLimit-Policy': { description: 'The limit: how many requests in how many seconds.', schema: { type: 'string' } },
  'X-Total-Count': { description: 'How many there are on all pages. Absent if the total is not known.', schema: { type: 'integer' } },
  ETag: { description: 'What tells this state from others.', schema: { type: 'string' } },
  'If-Match': { description: 'The ETag of the state that the request is about; in any other it is refused.', schema: { type: 'string' } },
  'If-None-Match': { description: 'The ETag of the state that the client has: 304 while it is still that.', schema: { type: 'string' } },
  'Set-Cookie': { description: 'The session.', schema: { type: 'string' } },
}

/** Throws if the header has no row. */
export function headerRow(name: string): HeaderRow {
  const row = headers[name]
  if (!row) throw new Error(`the header "${name}" has no row in headers.ts`)
  return row
}
