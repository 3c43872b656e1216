/**
 * The catalogs that an isolate keeps. Those of the apps that were used last are compiled. Of more apps it
 * keeps the source, which takes a tenth of the memory and saves the round trip.
 */
import { IsolateCache } from '../../kernel/lib/isolate-cache.ts'
import { forgetGuestCatalogs, keepGuestCatalogs } from './guests.ts'
import { type CachedCatalog, type CatalogSource, compileCatalog } from './load-catalog.ts'

/**
 * A compiled catalog takes 8 to 11 times as many bytes as its JSON has characters, depending on its
 * constraints.
 */
const bytesPerCharacter = 11

const lengthOf = (source: CatalogSource | null): number => source?.json?.length ?? 0

interface Compiled {
  catalog: CachedCatalog
  bytes: number
}

const compiled = new IsolateCache<Compiled>('catalogs', {
  bytesOf: ({ bytes }) => bytes,
  onRemove: ({ catalog }) => {
    if (catalog.app !== null) forgetGuestCatalogs(catalog)
  },
})
/** Null: the last one was outdated. */
const sources = new IsolateCache<CatalogSource | null>('catalog_sources', { bytesOf: lengthOf })

const siteOf = ({ site }: CatalogSource): string => String(site.siteId)

/** Returns the catalog that is kept under a key. Compiles it if only its source is kept. */
export function keptCatalog(key: string): CachedCatalog | undefined {
  // Also marks the source as used.
  const source = sources.get(key)
  return compiled.get(key)?.catalog ?? (source ? compile(key, source) : undefined)
}

export function keepCatalog(key: string, source: CatalogSource): CachedCatalog {
  sources.set(key, source, siteOf(source))
  return compile(key, source)
}

function compile(key: string, source: CatalogSource): CachedCatalog {
  const catalog = compileCatalog(source)
  const isKept = compiled.set(key, { catalog, bytes: bytesPerCharacter * lengthOf(source) }, siteOf(source))
  if (isKept && catalog.app !== null) keepGuestCatalogs(catalog)
  return catalog
}

/** Returns the source of a catalog that is kept under a key. */
export const keptSource = (key: string): CatalogSource | undefined => sources.get(key) ?? undefined

/** Keeps the source of a catalog that is not compiled for its site: see `sharedCatalogOf`. */
export const keepSource = (key: string, source: CatalogSource): void =>
  void sources.set(key, source, siteOf(source))

/**
 * Returns the catalog of all apps of this shape. Its statements name the schema of the site that they are
 * sent to, so that one plan serves all sites whose tables are alike. Its ids are those of one of them.
 */
export function sharedCatalogOf(shape: string, source: CatalogSource): CachedCatalog {
  const key = `shape ${shape}`
  const kept = compiled.get(key)?.catalog
  if (kept) return kept
  const catalog = compileCatalog(source, null)
  compiled.set(key, { catalog, bytes: bytesPerCharacter * lengthOf(source) })
  return catalog
}

/** Removes a catalog, and remembers that it is outdated. */
export function forgetCatalog(key: string): void {
  const source = sources.get(key)
  compiled.delete(key)
  sources.set(key, null, source ? siteOf(source) : undefined)
}

/** Tells whether the isolate has forgotten the catalog, and loaded none since. */
export const isOutdated = (key: string): boolean => sources.get(key) === null
