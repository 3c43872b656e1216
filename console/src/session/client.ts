/** The clients of the service and of its sites. The console loads all data through them. */
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import {
  type Client,
  createClient,
  UnauthenticatedError,
  type UnknownApps,
} from '../../../client/src/index.ts'
import { forgetToken, tokenOfSession } from './session.ts'

const staleMs = 30_000

const connect = (site?: string): Client =>
  createClient<UnknownApps>({
    url: window.location.origin,
    auth: { token: tokenOfSession },
    // Schemas may change while the console is open, so it loads them again.
    onSchemaChange: () => undefined,
    ...(site === undefined ? {} : { site }),
  })

/** The client of the service, for requests that belong to no site. */
export const service = connect()

const clients = new Map<string, Client>()

/** Returns the client of a site, by its slug. */
export function clientOf(site: string): Client {
  const known = clients.get(site)
  if (known) return known
  const client = connect(site)
  clients.set(site, client)
  return client
}

/** Returns the site in the address, and its client. Only the pages of a site may call it. */
export function useSite(): { site: string; client: Client } {
  const { site = '' } = useParams({ strict: false }) as { site?: string }
  return { site, client: clientOf(site) }
}

/** The cache of loaded data. The client already retries requests, so the cache does not. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error) {
      if (error instanceof UnauthenticatedError) forgetToken()
    },
  }),
  defaultOptions: { queries: { retry: false, staleTime: staleMs }, mutations: { retry: false } },
})
