/** The report of who may what in an app: one row for each datatable, kind of caller and action. */
import type { RequestContext } from '../../context.ts'
import { type Catalog, planOf, withCatalog } from '../catalog/catalog.ts'
import type { AccessRule } from '../model/access.ts'
import type { Table } from '../model/table.ts'
import { type Advice, adviceOn } from './advice.ts'

/** What one kind of caller may do with a datatable. */
interface Permit {
  datatable: string
  who: string
  can: AccessRule['can'][number]
  /** Whether a rule gives every record. */
  records: 'all' | 'some'
  /** In the order of the schema. */
  fields: string[]
  rules: string[]
}

/** Who may what, and advice. */
export interface AccessReport {
  permits: Permit[]
  advice: Advice[]
}

/** Reads the report of an app. Throws 404 if the app does not exist. */
export const readAccessReport = (ctx: RequestContext, app: string): Promise<AccessReport> =>
  withCatalog(ctx, app, 'read', (catalog) => planOf({ statements: {}, finish: () => reportOf(catalog) }))

function reportOf(catalog: Catalog): AccessReport {
  const tables = [...catalog.tables.values()].filter(({ source }) => !source)
  return {
    permits: tables.flatMap(permitsOf),
    advice: tables.flatMap((table) => adviceOn(catalog, table)),
  }
}

function permitsOf(table: Table): Permit[] {
  const groups = new Map<string, AccessRule[]>()
  for (const rule of table.schema.access?.rules ?? [])
    for (const action of rule.can) {
      const key = JSON.stringify([rule.who, action])
      groups.set(key, [...(groups.get(key) ?? []), rule])
    }
  return [...groups].map(([key, rules]) => {
    const [who, can] = JSON.parse(key) as [string, Permit['can']]
    const isShown = (name: string) => rules.some(({ fields }) => !fields || fields.includes(name))
    return {
      datatable: table.name,
      who,
      can,
      records: rules.some(({ where }) => Object.keys(where ?? {}).length === 0) ? 'all' : 'some',
      fields: [...table.fields.keys()].filter(isShown),
      rules: rules.map(({ name }) => name),
    }
  })
}
