/** The caller's API keys of a site. docs/guide/sign-in.md#api-keys. */
import type { CallOptions, Transport } from '../connection/transport.ts'
import { type ItemOptions, type Items, readItems } from './lists.ts'

/** The allowed actions of a key on the records of an app's tables. */
interface KeyScope {
  app: string
  /** Names of tables; `*` means all. */
  tables: readonly string[]
  can: readonly ('read' | 'create' | 'update' | 'delete')[]
}

export interface KeySettings {
  name: string
  /** A time with an offset. Null: never. */
  expires_at?: string | null | undefined
  /** Null: what keys without scopes may do. */
  scopes?: readonly KeyScope[] | null | undefined
  /** Addresses and networks from which the key is accepted. Null: any. */
  allowed_addresses?: readonly string[] | null | undefined
}

/** An API key, without the key itself. */
export interface ApiKey extends Required<KeySettings> {
  id: number
  prefix: string
  created_at: string
  last_used_at: string | null
  [member: string]: unknown
}

/** An API key with the key itself, which is never shown again. */
export interface NewApiKey extends KeySettings {
  id: number
  prefix: string
  key: string
  created_at: string
  expires_at: string | null
  [member: string]: unknown
}

const path = '/api/api-keys/'
const one = (id: number) => `${path}${encodeURIComponent(id)}/`

/**
 * Creates the calls of API keys. Scopes, addresses, changes and rotation need a sign-in within the last 15
 * minutes.
 */
export const apiKeyCalls = (transport: Transport) => ({
  list: (options?: ItemOptions): Promise<Items<ApiKey>> => readItems(transport, path, options),
  get: (id: number, { signal }: CallOptions = {}): Promise<ApiKey> =>
    transport.json({ path: one(id), signal }),
  create: (input: KeySettings, { signal }: CallOptions = {}): Promise<NewApiKey> =>
    transport.json({ method: 'POST', path, body: input, signal }),
  update: (id: number, changes: Partial<KeySettings>, { signal }: CallOptions = {}): Promise<ApiKey> =>
    transport.json({ method: 'PATCH', path: one(id), body: changes, signal }),
  /**
   * Creates a key with the same rights. The present key is accepted for another `overlapSeconds`, by default
   * an hour.
   */
  rotate: (
    id: number,
    { overlapSeconds, signal }: CallOptions & { overlapSeconds?: number | undefined } = {},
  ): Promise<NewApiKey> =>
    transport.json({
      method: 'POST',
      path: `${one(id)}rotate/`,
      body: { overlap_seconds: overlapSeconds },
      signal,
    }),
  delete: (id: number, { signal }: CallOptions = {}): Promise<void> =>
    transport.json({ method: 'DELETE', path: one(id), signal }),
})
