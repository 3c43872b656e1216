/** The data that many pages use: the account, its sites, and the apps and tables of a site. */
import { queryOptions } from '@tanstack/react-query'
import type { Site } from '../../../client/src/site/sites.ts'
import { clientOf, service } from './client.ts'

/** A site that the caller may enter. */
export interface EnterableSite extends Pick<Site, 'name' | 'slug' | 'environment'> {
  organization: { name: string; slug: string }
}

/** An app of a site. */
export interface App {
  name: string
  slug: string
  description: string
}

/** A table of an app, as in lists. */
export interface TableItem {
  name: string
  app_slug: string
  field_count: number
  is_materialized: boolean
  is_reference?: true
}

/** A field of a schema. docs/guide/apps-and-tables.md has the types and the constraints. */
export interface Field {
  name: string
  type: string
  format?: string
  title?: string
  description?: string
  default?: unknown
  /** The expression by which Postgres computes the field. */
  generated?: string
  constraints?: {
    required?: boolean
    unique?: boolean
    enum?: unknown[]
    minimum?: unknown
    maximum?: unknown
    minLength?: number
    maxLength?: number
    pattern?: string
  }
}

/** A key of a table that references records of another one. */
export interface ForeignKey {
  fields: string[]
  reference: { resource: string; fields: string[] }
}

/** A table with its schema. */
export interface Table extends TableItem {
  description: string
  primary_key: string[]
  schema_hash: string
  json_schema: {
    fields: Field[]
    primaryKey: string[]
    foreignKeys?: ForeignKey[]
    search_fields?: { field: string }[]
    [member: string]: unknown
  }
}

/** The maximum size of a page of a list. */
const pageSize = 100

/** The caller's account. */
export const meQuery = queryOptions({ queryKey: ['me'], queryFn: ({ signal }) => service.me.get({ signal }) })

/** The sites that the caller may enter whose name or slug contains the text. */
export const sitesQuery = (search = '') =>
  queryOptions({
    queryKey: ['sites', search],
    queryFn: ({ signal }) =>
      service.request<{ count: number; results: EnterableSite[] }>({
        path: '/api/cloud/sites/',
        query: { page_size: pageSize, search: search || undefined },
        signal,
      }),
  })

/** The apps of a site, by name. */
export const appsQuery = (site: string) =>
  queryOptions({
    queryKey: [site, 'apps'],
    queryFn: ({ signal }) =>
      clientOf(site).request<{ count: number; results: App[] }>({
        path: '/api/apps/',
        query: { page_size: pageSize },
        signal,
      }),
  })

const appPath = (app: string) => `/api/apps/${encodeURIComponent(app)}/`

/** The tables of an app, by name. */
export const tablesQuery = (site: string, app: string) =>
  queryOptions({
    queryKey: [site, 'apps', app, 'tables'],
    queryFn: ({ signal }) =>
      clientOf(site).request<TableItem[]>({ path: `${appPath(app)}datatables/`, signal }),
  })

/** A table with its schema. */
export const tableQuery = (site: string, app: string, table: string) =>
  queryOptions({
    queryKey: [site, 'apps', app, 'tables', table],
    queryFn: ({ signal }) =>
      clientOf(site).request<Table>({
        path: `${appPath(app)}datatables/${encodeURIComponent(table)}/`,
        signal,
      }),
  })
