/** The report on the access rules of an app: one row for each datatable, kind of caller and action. */
import type { Catalog } from '../catalog/load-catalog.ts'
import { type AccessRule, shownBy, writtenBy } from '../model/access.ts'
import type { Table } from '../model/table.ts'
import { writableFields } from '../model/written-fields.ts'
import { type Advice, adviceOn } from './advice.ts'

/** One action that one kind of caller may perform on a datatable. */
interface Permit {
  datatable: string
  who: string
  can: AccessRule['can'][number]
  /** Whether a rule allows the action for every record. */
  records: 'all' | 'some'
  /** The fields that may be read or sent, in the order of the schema. */
  fields: string[]
  rules: string[]
}

/** The permissions that the rules give, and advice. */
export interface AccessReport {
  permits: Permit[]
  advice: Advice[]
}

/** Returns the report of an app. */
export function reportOf(catalog: Catalog): AccessReport {
  const tables = [...catalog.tables.values()].filter(({ source }) => !source)
  return {
    permits: tables.flatMap(permitsOf),
    advice: tables.flatMap((table) => adviceOn(catalog, table)),
  }
}

function permitsOf(table: Table): Permit[] {
  const groups = new Map<string, AccessRule[]>()
  for (const rule of table.rules)
    for (const action of rule.can) {
      const key = JSON.stringify([rule.who, action])
      groups.set(key, [...(groups.get(key) ?? []), rule])
    }
  return [...groups].map(([key, rules]) => {
    const [who, can] = JSON.parse(key) as [string, Permit['can']]
    return {
      datatable: table.name,
      who,
      can,
      records: rules.some((rule) => isForAll(rule, can)) ? 'all' : 'some',
      fields: fieldsOf(table, rules, can),
      rules: rules.map(({ name }) => name),
    }
  })
}

/** Tells whether a rule allows an action for every record. For a new record, `check` decides. */
function isForAll({ where = {}, check = where }: AccessRule, can: Permit['can']): boolean {
  const conditions: Record<Permit['can'], (typeof where)[]> = {
    read: [where],
    history: [where],
    create: [check],
    update: [where, check],
    delete: [where],
    edges: [where],
  }
  return conditions[can].every((condition) => Object.keys(condition).length === 0)
}

/** Returns the names of the fields that at least one of the rules allows in an action. */
export function fieldsOf(table: Table, rules: readonly AccessRule[], can: Permit['can']): string[] {
  if (can === 'read' || can === 'history') {
    const isShown = (name: string) => rules.some((rule) => shownBy(rule)?.includes(name) ?? true)
    return [...table.fields.keys()].filter(isShown)
  }
  const isGiven = (name: string) =>
    rules.some((rule) => !Object.hasOwn(rule.set ?? {}, name) && (writtenBy(rule)?.includes(name) ?? true))
  return writableFields(table, can)
    .map(({ name }) => name)
    .filter(isGiven)
}
