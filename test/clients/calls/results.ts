/** The results of the calls of each client. */
export interface Login {
  base: string
  token: string
  email: string
  password: string
}

export interface AppCalls {
  made: string
  more: number
  listed: { total: unknown; count: number }
  read: unknown
  changed: number | null | undefined
  replaced: unknown[]
  upserted: unknown[]
  refused: unknown[]
  deleted: number
  all: number | undefined
}

export interface ServiceCalls {
  signedIn: string | undefined
  me: string | undefined
  apps: string[]
  app: string | undefined
  tag: string
  tags: number
  changed: string | undefined
  deleted: number
  missing: number
  records: number
}

/** Returns the only created record. The document allows one record or several. */
export function first<Item>(made: Item | Item[] | undefined): Item {
  const [one] = Array.isArray(made) ? made : [made]
  if (one === undefined) throw new Error('nothing was made')
  return one
}
