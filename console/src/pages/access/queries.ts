/** The requests of the page of access rules. */
import { queryOptions } from '@tanstack/react-query'
import { clientOf } from '../../session/client.ts'

type Filter = Readonly<Record<string, unknown>>

/** A rule of a table. docs/guide/access-rules.md#the-rules-of-a-table. */
export interface Rule {
  name: string
  who: string
  can: string[]
  where?: Filter
  check?: Filter
  set?: Filter
  fields?: string[] | { read?: string[]; write?: string[] }
}

/** One action that the rules of a table allow a kind of caller. */
export interface Permit {
  datatable: string
  who: string
  can: string
  records: string
  fields: string[]
  rules: string[]
}

/** The report of an app. */
export interface Report {
  permits: Permit[]
  advice: { datatable: string; rule: string; message: string }[]
}

/** An evaluated condition. */
export interface Condition {
  condition: Filter
  passes: boolean
  found?: unknown
  compared?: unknown
  conditions?: Condition[]
}

/** Why something is allowed, or not. */
export interface Explanation {
  allowed: boolean
  reason: string
  rules: { name: string; who: string; failed: string | null; conditions: Condition[]; check?: Condition[] }[]
}

const appPath = (app: string) => `/api/apps/${encodeURIComponent(app)}/`

export const rulesPath = (app: string, table: string): string =>
  `${appPath(app)}datatables/${encodeURIComponent(table)}/access/`

/** The actions that the rules of all tables of an app allow. */
export const reportQuery = (site: string, app: string) =>
  queryOptions({
    queryKey: [site, 'apps', app, 'access'],
    queryFn: ({ signal }) => clientOf(site).request<Report>({ path: `${appPath(app)}access/`, signal }),
  })

/** The rules of a table, with the ETag that a change must send. */
export const rulesQuery = (site: string, app: string, table: string) =>
  queryOptions({
    queryKey: [site, 'apps', app, 'access', table],
    async queryFn({ signal }) {
      const answer = await clientOf(site).send({ path: rulesPath(app, table), signal })
      const { rules } = (await answer.json()) as { rules: Rule[] }
      return { rules, etag: answer.headers.get('etag') ?? '' }
    },
  })
