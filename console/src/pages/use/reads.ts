/** The use and the limits of a site. docs/operate/quotas.md. */
import { queryOptions } from '@tanstack/react-query'
import { service } from '../../session/client.ts'

export const measures = ['requests', 'invocations', 'emails', 'records', 'bytes'] as const
export type Measure = (typeof measures)[number]

/** The limits of one measure. Null: no limit. */
export interface Limit {
  soft: number | null
  hard: number | null
}

/** The limits of a site. */
export type Limits = Record<Measure, Limit>

interface Use {
  month: string
  use: Record<Measure, number>
  limits: Limits
  measured_at: string | null
}

const path = (site: string, what: string) => `/api/cloud/sites/${encodeURIComponent(site)}/${what}/`

/** The use of a month; without one, of the current month. */
export const siteUseQuery = (site: string, month?: string) =>
  queryOptions({
    queryKey: [site, 'use', month ?? ''],
    queryFn: ({ signal }) => service.request<Use>({ path: path(site, 'use'), query: { month }, signal }),
  })

export const replaceLimits = (site: string, limits: Limits): Promise<Limits> =>
  service.request({ method: 'PUT', path: path(site, 'limits'), body: limits })
