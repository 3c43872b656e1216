/** Every type that a field can have, and which one a field has: its format and its items may tell, too. D4, D14. */
import { type FieldType, fieldTypes } from './field-types.ts'
import { listTypes, standardTypes } from './standard-types.ts'

export interface Typed {
  type: string
  format?: string | undefined
  itemType?: string | undefined
}

export const typeNames: readonly string[] = [...fieldTypes.keys(), ...[...standardTypes.keys()].filter((name) => !name.includes(' '))]

/** The type is one of the names. */
export const typeOf = ({ type, format, itemType }: Typed): FieldType =>
  fieldTypes.get(type) ??
  standardTypes.get(`${type} ${format}`) ??
  (type === 'list' ? listTypes.get(itemType ?? '') : undefined) ??
  (standardTypes.get(type) as FieldType)

/** The type as which Postgres keeps its values: it, or the nearest that has a column of its own. */
export const baseOf = (field: Typed): string => typeOf(field).base ?? field.type
