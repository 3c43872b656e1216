/**
 * The caches of an isolate. An isolate has 128 MB, which all sites share, so each cache has a bound in bytes.
 * It evicts single entries, the least recently used first. Where the entries belong to sites, no site holds
 * more than a quarter of it.
 */

const KiB = 1024
const MiB = 1024 * KiB

/** All caches that grow with requests, and how many bytes each may take: 64 MB together. */
export const cacheBytes = {
  catalogs: 24 * MiB - 256 * KiB,
  catalog_sources: 6 * MiB,
  guest_catalogs: 12 * MiB,
  standings: 2 * MiB,
  known_entries: 768 * KiB,
  organization_sites: 256 * KiB,
  scopes: MiB,
  scopes_of_apps: 256 * KiB,
  time_limits: 512 * KiB,
  plans: 2 * MiB,
  plan_uses: 128 * KiB,
  tokens: 3 * MiB,
  accepted_keys: 2 * MiB,
  rate_leases: 3 * MiB,
  sealing_keys: 128 * KiB,
  data_keys: MiB,
  site_keys: 512 * KiB,
  secret_schemas: MiB,
  conditions: MiB,
  patterns: 512 * KiB,
  branding: 256 * KiB,
  index_advice: 256 * KiB,
  long_lists: 256 * KiB,
  provider_documents: MiB,
  provider_metadata: 512 * KiB,
  time_zones: MiB,
} as const

export type CacheName = keyof typeof cacheBytes

/** The part of a cache that the entries of one site may take. */
const siteShare = 1 / 4
/** What an entry takes besides its key and its value. */
const entryBytes = 200

/** What a cache takes, and how it was used since the isolate began. */
export interface CacheUse {
  bytes: number
  hits: number
  evictions: number
}

interface Entry<Value> {
  value: Value
  bytes: number
  site: string | undefined
}

/** Entries of one site, the least recently used first. */
interface SiteEntries {
  keys: Set<string>
  bytes: number
}

const uses: (readonly [CacheName, CacheUse])[] = []

/** Returns the use of each cache that this isolate has loaded. */
export const cacheUses = (): readonly (readonly [CacheName, Readonly<CacheUse>])[] => uses

/** How a cache measures its values. */
interface Options<Value> {
  /** Returns about how many bytes a value takes, without its key. */
  bytesOf(value: Value): number
  /** Is called for each value that leaves the cache, replaced ones included. */
  onRemove?(value: Value, key: string): void
}

/** A map with a bound in bytes. */
export class IsolateCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>()
  readonly #sites = new Map<string, SiteEntries>()
  readonly #bytesMax: number
  readonly #options: Options<Value>
  readonly #use: CacheUse = { bytes: 0, hits: 0, evictions: 0 }

  constructor(name: CacheName, options: Options<Value>) {
    this.#bytesMax = cacheBytes[name]
    this.#options = options
    uses.push([name, this.#use])
  }

  /** Returns a value and marks it as used. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#use.hits++
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    const keys = entry.site === undefined ? undefined : this.#sites.get(entry.site)?.keys
    keys?.delete(key)
    keys?.add(key)
    return entry.value
  }

  /** Returns all values. They do not count as used. */
  values(): Value[] {
    return [...this.#entries.values()].map(({ value }) => value)
  }

  /**
   * Stores a value, and evicts others if necessary. Returns false, and stores nothing, if the value alone
   * takes more than the cache, or the site, may have. `site`: the site that the entry belongs to, if it
   * belongs to one.
   */
  set(key: string, value: Value, site?: string): boolean {
    this.delete(key)
    const bytes = entryBytes + key.length + this.#options.bytesOf(value)
    const siteMax = this.#bytesMax * siteShare
    if (bytes > (site === undefined ? this.#bytesMax : siteMax)) return false
    if (site !== undefined) {
      const own = this.#sites.get(site) ?? { keys: new Set(), bytes: 0 }
      this.#evict(own.keys, () => own.bytes + bytes > siteMax)
      own.keys.add(key)
      own.bytes += bytes
      this.#sites.set(site, own)
    }
    this.#evict(this.#entries.keys(), () => this.#use.bytes + bytes > this.#bytesMax)
    this.#entries.set(key, { value, bytes, site })
    this.#use.bytes += bytes
    return true
  }

  /** Removes an entry, if there is one. */
  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    const { value, bytes, site } = entry
    this.#entries.delete(key)
    this.#use.bytes -= bytes
    const own = site === undefined ? undefined : this.#sites.get(site)
    if (site !== undefined && own !== undefined) {
      own.keys.delete(key)
      own.bytes -= bytes
      if (own.keys.size === 0) this.#sites.delete(site)
    }
    this.#options.onRemove?.(value, key)
  }

  /** Removes all entries. */
  clear(): void {
    for (const key of this.#entries.keys()) this.delete(key)
  }

  #evict(oldestFirst: Iterable<string>, isFull: () => boolean): void {
    for (const key of oldestFirst) {
      if (!isFull()) return
      this.delete(key)
      this.#use.evictions++
    }
  }
}
