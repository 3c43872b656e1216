/**
 * Decides which requests of a function, and which of their parts, reach the API. This is a second line of
 * defense after the policies of operations.
 */
import { splitSitePrefix } from '../../../kernel/http/tenant-locator.ts'
import { gateOrigin } from './limits.ts'

/** The headers of a function's request that reach the API. */
const passed = ['accept', 'content-type', 'if-match', 'if-none-match', 'idempotency-key', 'prefer']

/** Returns the headers of a function's request that reach the API. */
export function passedHeaders(sent: Headers): Headers {
  const headers = new Headers()
  for (const name of passed) {
    const value = sent.get(name)
    if (value !== null) headers.set(name, value)
  }
  return headers
}

/** The site and the app of a run, and the origin of the service. */
interface Place {
  /** Undefined: the site that the address of the service names. */
  site?: string | undefined
  app: string
  origin: string
}

/**
 * Returns the path of a request below the site, if it concerns records or edges of the run's app; otherwise
 * undefined.
 */
export function pathOfRecords({ origin, pathname }: URL, place: Place): string | undefined {
  const { slug, path } = splitSitePrefix(pathname)
  const isHere = origin === gateOrigin || origin === place.origin
  return isHere && (slug ?? place.site) === place.site && isOfRecords(path, place.app) ? path : undefined
}

function isOfRecords(path: string, app: string): boolean {
  const [start, api, apps, slug, area, _table, part = ''] = path.split('/')
  if (start !== '' || api !== 'api' || apps !== 'apps' || slug !== app) return false
  return area === 'batch' || (area === 'datatables' && ['data', 'edges'].includes(part))
}
