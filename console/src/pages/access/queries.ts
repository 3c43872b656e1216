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

/** A rule of an app, for all its tables or for some. */
export interface AppRule extends Rule {
  tables: '*' | string[]
}

/** The rules of an app, and the report of what those of all tables allow. */
interface Report {
  rules: AppRule[]
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

export const appRulesPath = (app: string): string => `${appPath(app)}access/`

export const rulesPath = (app: string, table: string): string =>
  `${appPath(app)}datatables/${encodeURIComponent(table)}/access/`

/** The rules of an app with their ETag, and the actions that the rules of all its tables allow. */
export const reportQuery = (site: string, app: string) =>
  queryOptions({
    queryKey: [site, 'apps', app, 'access'],
    async queryFn({ signal }) {
      const answer = await clientOf(site).send({ path: appRulesPath(app), signal })
      return { ...((await answer.json()) as Report), etag: answer.headers.get('etag') ?? '' }
    },
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
