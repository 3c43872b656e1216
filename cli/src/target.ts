/** The service and the site that a command uses. */
import { exitCodes } from './exit-codes.ts'
import { Problem } from './problem.ts'

/** A service, and the site if the address does not name it. */
export interface Target {
  /** The address, without a slash at its end, and without the path of a site. */
  url: string
  site?: string
}

/** Reads an address: `https://shop.example.com`, or `https://example.com/sites/shop`. */
export function targetOf(address: string, site?: string): Target {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new Problem(
      `${address} is not the address of a service, such as https://shop.example.com.`,
      exitCodes.usage,
    )
  const { origin, pathname } = new URL(address)
  const [, named] = /^\/sites\/([^/]+)\/?$/.exec(pathname) ?? []
  if (named === undefined && pathname !== '/')
    throw new Problem(
      `The address of a service has no path but /sites/<slug>, and ${address} has another one.`,
      exitCodes.usage,
    )
  const slug = site ?? (named === undefined ? undefined : decodeURIComponent(named))
  return { url: origin, ...(slug === undefined ? {} : { site: slug }) }
}

/** Returns a target as text for people. */
export const nameOf = ({ url, site }: Target): string => (site === undefined ? url : `${url}/sites/${site}`)

/** Returns whether requests to a service can be intercepted. */
export function isReadable({ url }: Target): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
}
