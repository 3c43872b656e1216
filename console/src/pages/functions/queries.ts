/** The requests of the pages of functions and their runs. */
import { queryOptions } from '@tanstack/react-query'
import { clientOf } from '../../session/client.ts'
import { functionsOf } from './calls.ts'
import type { Run } from './types.ts'

/** How often runs are loaded again while the page is open, in milliseconds. */
const liveMs = 3_000

export const functionsQuery = (site: string, app: string) =>
  queryOptions({
    queryKey: [site, 'apps', app, 'functions'],
    queryFn: ({ signal }) => functionsOf(site, app).list(signal),
  })

export const functionQuery = (site: string, app: string, slug: string) =>
  queryOptions({
    queryKey: [site, 'apps', app, 'functions', slug],
    queryFn: ({ signal }) => functionsOf(site, app).get(slug, signal),
  })

/** The versions of a function, newest first. */
export const versionsQuery = (site: string, app: string, slug: string) =>
  queryOptions({
    queryKey: [site, 'apps', app, 'functions', slug, 'versions'],
    queryFn: ({ signal }) => functionsOf(site, app).versions(slug, signal),
  })

/** The skipped runs of a site or a function, counted by function, reason and day. */
export const skippedQuery = (site: string, slug: string | undefined) =>
  queryOptions({
    queryKey: [site, 'runs', slug ?? '', 'skipped'],
    queryFn: ({ signal }) =>
      clientOf(site).invocations.skipped({ pageSize: 50, ...(slug ? { functionSlug: slug } : {}), signal }),
  })

/** The newest runs of a site, loaded again every few seconds. */
export const runsQuery = (site: string, { slug, status }: { slug?: string; status?: string }) =>
  queryOptions({
    queryKey: [site, 'runs', slug ?? '', status ?? ''],
    queryFn: ({ signal }) =>
      clientOf(site).invocations.list({
        pageSize: 50,
        ordering: ['-id'],
        ...(slug ? { functionSlug: slug } : {}),
        ...(status ? { status } : {}),
        signal,
      }) as Promise<{ data: Run[]; total: number }>,
    refetchInterval: liveMs,
  })
