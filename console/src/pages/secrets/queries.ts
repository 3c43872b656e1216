/** The requests of the secrets page. */
import { queryOptions } from '@tanstack/react-query'
import { clientOf } from '../../session/client.ts'

/** A secret in the list. Its value is not cached: the page requests it only when the user wants to see it. */
export interface SecretItem {
  key: string
  secret_type: string
  sensitivity_level: string
  modified_at: string
  created_by: string
}

export interface SecretChange {
  action: string
  user: string
  timestamp: string
  key: string
}

export interface SecretType {
  name: string
  slug: string
}

const pageSize = 100

/** The secrets of a level: of an app, or without one of the site. */
export const secretsQuery = (site: string, app: string | undefined) =>
  queryOptions({
    queryKey: [site, 'secrets', app ?? ''],
    async queryFn({ signal }) {
      const { data } = await clientOf(site).secrets.list({ pageSize, signal, ...(app ? { app } : {}) })
      return data.map(({ key, secret_type, sensitivity_level, modified_at, created_by }) => ({
        key,
        secret_type,
        sensitivity_level,
        modified_at: String(modified_at),
        created_by: String(created_by),
      })) as SecretItem[]
    },
  })

/** The types that a new secret can have. */
export const typesQuery = (site: string) =>
  queryOptions({
    queryKey: [site, 'secret-types'],
    queryFn: ({ signal }) =>
      clientOf(site).request<{ items: SecretType[] }>({
        path: '/api/secret-types/',
        query: { page_size: pageSize },
        signal,
      }),
  })

/** The changes of a secret, newest first. */
export const historyQuery = (site: string, app: string | undefined, key: string) =>
  queryOptions({
    queryKey: [site, 'secrets', app ?? '', key, 'history'],
    queryFn: ({ signal }) =>
      clientOf(site).request<{ results: SecretChange[] }>({
        path: `/api/secrets/${encodeURIComponent(key)}/history/`,
        query: { app },
        signal,
      }),
  })
