/**
 * The entries of a coherent cache, which never returns a value that is older than an acknowledged change. An
 * entry has a key, which changes refer to, and a qualifier. A change *fences* its keys, commits, and
 * *invalidates* them: fenced keys have no entries. A reader that finds no entry *gets* a fill token, reads
 * the database, and *fills* the cache with the token. The token becomes invalid when anything is fenced or
 * invalidated. A fence that is never lifted expires when its transaction can no longer be open. So a crash
 * only costs another read of the database, and never brings an old value back.
 */

/** The part of a Durable Object's storage that the entries use. */
export type Storage = Pick<SyncKvStorage, 'get' | 'put' | 'delete' | 'list'>

/** Stands for all keys of the cache. */
export const everyKey = '*'

/** How long a fence holds unless it is lifted: longer than any of our transactions with its retries. */
export const fenceMs = 120_000

/** The entries of a key. */
export interface Found<Value> {
  /** The values by qualifier. */
  entries: ReadonlyMap<string, Value>
  /** The token to fill the cache with the missing entry; null while the key is fenced. */
  fillToken: string | null
}

export interface Fill<Value> {
  key: string
  qualifier: string
  value: Value
  fillToken: string | null
}

/** The entries of a cache. Times are in milliseconds since 1970. */
export interface FencedEntries<Value> {
  /** Returns the unexpired entries of a key. */
  get(key: string, now: number): Found<Value>
  /** Stores an entry. Returns false, and stores nothing, if the fill token is no longer valid. */
  fill(fill: Fill<Value>, expiresAt: number, now: number): boolean
  /** Removes the entries of the keys and prevents new ones. Returns the id of the fence. */
  fence(keys: readonly string[], now: number): string
  /** Removes the entries of the keys, and lifts the fence if its id is given. */
  invalidate(keys: readonly string[], fenceId?: string): void
  /** Removes expired entries and fences. Returns when the next one expires; null if none is left. */
  removeExpired(now: number): number | null
}

interface Entry<Value> {
  value: Value
  expiresAt: number
}

interface Fence {
  keys: readonly string[]
  expiresAt: number
}

/**
 * Opens the entries in a storage. `incarnation` differs each time they are opened: entries and fences outlive
 * the process, fill tokens do not.
 */
export function openFencedEntries<Value>(storage: Storage, incarnation: string): FencedEntries<Value> {
  let changes = 0
  const currentToken = () => `${incarnation} ${changes}`
  const entryName = (key: string, qualifier = '') => `entry ${key}\n${qualifier}`

  function isFenced(key: string, now: number): boolean {
    const fences = [...storage.list<Fence>({ prefix: 'fence ' })]
    return fences.some(
      ([, { keys, expiresAt }]) => expiresAt > now && (keys.includes(key) || keys.includes(everyKey)),
    )
  }

  /** Removes the entries of the keys, and invalidates all fill tokens. */
  function remove(keys: readonly string[]): void {
    changes++
    const prefixes = keys.includes(everyKey) ? ['entry '] : keys.map((key) => entryName(key))
    const names = prefixes.flatMap((prefix) => [...storage.list({ prefix })].map(([name]) => name))
    for (const name of names) storage.delete(name)
  }

  return {
    get(key, now) {
      const prefix = entryName(key)
      const entries = new Map<string, Value>()
      for (const [name, { value, expiresAt }] of storage.list<Entry<Value>>({ prefix })) {
        if (expiresAt > now) entries.set(name.slice(prefix.length), value)
      }
      return { entries, fillToken: isFenced(key, now) ? null : currentToken() }
    },
    fill({ key, qualifier, value, fillToken }, expiresAt, now) {
      if (fillToken !== currentToken() || isFenced(key, now)) return false
      storage.put<Entry<Value>>(entryName(key, qualifier), { value, expiresAt })
      return true
    },
    fence(keys, now) {
      remove(keys)
      const id = crypto.randomUUID()
      storage.put<Fence>(`fence ${id}`, { keys, expiresAt: now + fenceMs })
      return id
    },
    invalidate(keys, fenceId) {
      remove(keys)
      if (fenceId !== undefined) storage.delete(`fence ${fenceId}`)
    },
    removeExpired(now) {
      let next: number | null = null
      const entries = [...storage.list<Entry<Value>>({ prefix: 'entry ' })]
      const fences = [...storage.list<Fence>({ prefix: 'fence ' })]
      for (const [name, { expiresAt }] of [...entries, ...fences]) {
        if (expiresAt <= now) storage.delete(name)
        else next = Math.min(next ?? expiresAt, expiresAt)
      }
      return next
    },
  }
}
