/** The names of fields and tables: names in files, converted to the form of the service. */
import { slugOf } from '../../src/kernel/lib/slug.ts'

const fieldForm = /^[A-Za-z][A-Za-z0-9_]{0,62}$/
const tableForm = /^[a-z][a-z0-9_]{0,47}$/
/** Columns that every table of Postgres has, and the words that take the place of a table in a path. */
const reservedFields = new Set(['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid'])
const reservedTables = new Set(['create_schema', 'stats'])

const isFieldName = (name: string): boolean =>
  fieldForm.test(name) && !name.includes('__') && !reservedFields.has(name)
const isTableName = (name: string): boolean => tableForm.test(name) && !reservedTables.has(name)

interface Rule {
  isName(name: string): boolean
  /** The prefix of names that begin with a digit or are reserved. */
  prefix: string
  lengthMax: number
}

const rules: Record<'field' | 'table', Rule> = {
  field: { isName: isFieldName, prefix: 'field', lengthMax: 63 },
  table: { isName: isTableName, prefix: 'table', lengthMax: 48 },
}

/**
 * Returns a name for each label, in the same order. A label that is a valid name is unchanged; others become
 * lower-case words with underscores: `Country Name` is `country_name`. All names are different.
 */
export function chooseNames(kind: 'field' | 'table', labels: readonly string[]): string[] {
  const rule = rules[kind]
  // Labels that need no change keep their names, wherever they stand.
  const taken = new Set(labels.filter(rule.isName))
  const seen = new Set<string>()
  return labels.map((label, index) => {
    if (rule.isName(label) && !seen.has(label)) {
      seen.add(label)
      return label
    }
    const base = plainName(label, index, rule)
    let name = base
    for (let count = 2; taken.has(name); count++) name = `${base.slice(0, rule.lengthMax - 5)}_${count}`
    taken.add(name)
    return name
  })
}

function plainName(label: string, index: number, { isName, prefix, lengthMax }: Rule): string {
  const words = slugOf(label).replaceAll('-', '_').slice(0, lengthMax).replace(/_+$/, '')
  if (isName(words)) return words
  return words === '' ? `${prefix}_${index + 1}` : `${prefix}_${words}`.slice(0, lengthMax)
}
