/** Clients that read records as somebody else: a person of the site, or a guest. */
import { type Client, createClient, type UnknownApps } from '../../../client/src/index.ts'
import { clientOf } from './client.ts'
import { tokenOfSession } from './session.ts'

/** A guest without credentials. All others are identified by the id of their account. */
export const anyone = 'anyone'

const viewers = new Map<string, Client>()

const connect = (site: string, as: string): Client =>
  createClient<UnknownApps>({
    url: window.location.origin,
    site,
    onSchemaChange: () => undefined,
    ...(as === anyone ? {} : { auth: { token: tokenOfSession } }),
    fetch(request) {
      if (as === anyone) return fetch(new Request(request, { credentials: 'omit' }))
      const headers = new Headers(request.headers)
      headers.set('X-View-As', as)
      return fetch(new Request(request, { headers }))
    },
  })

/** Returns the client that reads records as `as`; undefined: as the caller. It can only read records. */
export function viewerOf(site: string, as: string | undefined): Client {
  if (as === undefined) return clientOf(site)
  const name = `${site} ${as}`
  const known = viewers.get(name)
  if (known) return known
  const viewer = connect(site, as)
  viewers.set(name, viewer)
  return viewer
}
