/** The secrets of a site and of its apps. docs/guide/secrets.md. */
import type { CallOptions, Transport } from '../connection/transport.ts'
import { type ItemOptions, type Items, readItems } from './lists.ts'

export interface Secret<Value = Record<string, unknown>> {
  key: string
  secret_type: string
  value: Value
  tags: string[]
  app: string | null
  sensitivity_level: 'public' | 'private' | 'sensitive'
  [member: string]: unknown
}

/** The level of a secret: an app, or without one the site. */
export interface Level extends CallOptions {
  app?: string | undefined
}

export interface NewSecret {
  key: string
  secret_type: string
  value: Readonly<Record<string, unknown>>
  tags?: readonly string[] | undefined
  app?: string | undefined
}

const path = '/api/secrets/'
const one = (key: string) => `${path}${encodeURIComponent(key)}/`

export const secretCalls = (transport: Transport) => ({
  list: ({ app, ...options }: Level & ItemOptions = {}): Promise<Items<Secret>> =>
    readItems(transport, path, options, { app }),
  /** Reads the secret of the app; if it has none, the secret of the site. */
  get: <Value = Record<string, unknown>>(key: string, { app, signal }: Level = {}): Promise<Secret<Value>> =>
    transport.json({ path: one(key), query: { app }, signal }),
  /** Reads the values of several keys. Omits keys that do not exist. */
  values: (keys: readonly string[], { app, signal }: Level = {}): Promise<Record<string, unknown>> =>
    transport.json({ path, query: { keys: keys.join(','), app }, signal }),
  create: (secret: NewSecret, { signal }: CallOptions = {}): Promise<Secret> =>
    transport.json({ method: 'POST', path, body: secret, signal }),
  /** Changes a secret of this level. Omitted members stay unchanged. */
  update: (
    key: string,
    changes: {
      value?: Readonly<Record<string, unknown>> | undefined
      key?: string | undefined
      tags?: readonly string[] | undefined
    },
    { app, signal }: Level = {},
  ): Promise<Secret> =>
    transport.json({ method: 'PUT', path: one(key), query: { app }, body: changes, signal }),
  delete: (key: string, { app, signal }: Level = {}): Promise<void> =>
    transport.json({ method: 'DELETE', path: one(key), query: { app }, signal }),
})
