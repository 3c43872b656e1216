/** Parses the URL of each request once. */

const parsedUrls = new WeakMap<Request, URL | null>()

/**
 * Returns the URL of a request; null if it cannot be parsed or has credentials, because the runtime copies
 * the Host header into the URL unchecked. Several readers share the object, so none may change it.
 */
export function urlOf(request: Request): URL | null {
  const known = parsedUrls.get(request)
  if (known !== undefined) return known
  const url = parse(request.url)
  parsedUrls.set(request, url)
  return url
}

function parse(text: string): URL | null {
  const url = URL.parse(text)
  return url?.username === '' && url.password === '' ? url : null
}

/** Returns the URL as `urlOf` does, for a request that has passed `requireValidHost`. */
export function validUrlOf(request: Request): URL {
  const url = urlOf(request)
  if (!url) throw new Error('The URL of the request was not checked.')
  return url
}
