/** The indexes of the collection of a table. */
import { uniqueKeysOf } from '../../model/keys.ts'
import { constraintNames } from '../../model/names.ts'
import type { Table } from '../../model/table.ts'
import { fieldForms } from './forms.ts'
import type { IndexForm } from './wire.ts'

/**
 * Tells whether a foreign key needs no index of its own: MongoDB refuses a second one of the same fields. The
 * indexes of unique values do not serve it, because they leave out records without a value.
 */
const isServed = ({ schema }: Table, key: readonly string[]): boolean =>
  (key.length === 1 && String(schema.primaryKey) === String(key)) ||
  (schema.indexes ?? []).some(
    ({ fields, unique }) => !unique && key.every((name, position) => fields[position] === name),
  )

/** Returns the indexes of a table, without that of its primary key. */
export function indexesOf(table: Table): IndexForm[] {
  const names = constraintNames(table.physicalName)
  const pathsOf = (fields: readonly string[]) =>
    fields.flatMap((name) => fieldForms(table).filter((field) => field.name === name)).map(({ path }) => path)
  const declared = table.schema.indexes ?? []
  const unique = uniqueKeysOf({ ...table, schema: { ...table.schema, indexes: [] } })
    .slice(1)
    .map(({ fields }) => {
      const [only = ''] = fields
      const isOfField = fields.length === 1 && table.constraints.has(names.unique(only))
      return {
        name: isOfField ? names.unique(only) : names.uniqueKey(fields),
        paths: pathsOf(fields),
        unique: true,
      }
    })
  const keys = (table.schema.foreignKeys ?? [])
    .filter(({ fields }) => !isServed(table, fields))
    .map(({ fields }) => ({
      name: names.foreignKeyIndex(fields),
      paths: pathsOf(fields),
      unique: false,
    }))
  return [
    ...unique,
    ...keys,
    ...declared.map((index) => ({
      name: names.index(index.name),
      paths: pathsOf(index.fields),
      unique: index.unique,
    })),
  ]
}
