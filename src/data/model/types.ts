/** Finds the type of a field by its declared type, its format and the type of its items. D4, D14. */
import { type FieldType, fieldTypes } from './field-types.ts'
import { listTypes, standardTypes } from './standard-types.ts'

/** The members of a field's schema that determine its type. */
export interface Typed {
  type: string
  format?: string | undefined
  itemType?: string | undefined
}

/** The names that `type` can have in a schema. */
export const typeNames: readonly string[] = [
  ...fieldTypes.keys(),
  ...[...standardTypes.keys()].filter((name) => !name.includes(' ')),
]

/** Returns the type of a field. Its `type` must be one of `typeNames`. */
export const typeOf = ({ type, format, itemType }: Typed): FieldType =>
  fieldTypes.get(type) ??
  standardTypes.get(`${type} ${format}`) ??
  (type === 'list' ? listTypes.get(itemType ?? '') : undefined) ??
  (standardTypes.get(type) as FieldType)

/** Returns the name of the type that a field's values are stored as. */
export const baseOf = (field: Typed): string => typeOf(field).base ?? field.type
