/**
 * The catalogs that an isolate keeps. Those of the apps that were used last are compiled. Of more apps it
 * keeps the source, which takes a tenth of the memory and saves the round trip.
 */
import { LruCache } from '../../lib/lru-cache.ts'
import { type CachedCatalog, type CatalogSource, compileCatalog } from './load-catalog.ts'

/**
 * Together a quarter of the memory of an isolate. Of apps with five tables, about 600 are compiled, and 2,000
 * are kept as sources.
 */
const bytesMax = { compiled: 24 * 1024 * 1024, sources: 8 * 1024 * 1024 }
/**
 * A compiled catalog takes 8 to 11 times as many bytes as its JSON has characters, depending on its
 * constraints.
 */
const bytesPerCharacter = 11
/** The memory for an app that does not exist. */
const bytesOfNone = 500

const sizeOf = ({ json }: CatalogSource): number => bytesOfNone + (json?.length ?? 0)

interface Compiled {
  catalog: CachedCatalog
  bytes: number
}

const compiled = new LruCache<string, Compiled>(bytesMax.compiled, ({ bytes }) => bytes)
const sources = new LruCache<string, CatalogSource>(bytesMax.sources, sizeOf)

/** Returns the catalog that is kept under a key. Compiles it if only its source is kept. */
export function keptCatalog(key: string): CachedCatalog | undefined {
  // Also marks the source as used.
  const source = sources.get(key)
  return compiled.get(key)?.catalog ?? (source && compile(key, source))
}

/** Keeps a catalog, and returns it. */
export function keepCatalog(key: string, source: CatalogSource): CachedCatalog {
  sources.set(key, source)
  return compile(key, source)
}

function compile(key: string, source: CatalogSource): CachedCatalog {
  const catalog = compileCatalog(source)
  compiled.set(key, { catalog, bytes: bytesOfNone + bytesPerCharacter * (source.json?.length ?? 0) })
  return catalog
}

/** Removes a catalog, if it is kept. */
export function forgetCatalog(key: string): void {
  compiled.delete(key)
  sources.delete(key)
}
