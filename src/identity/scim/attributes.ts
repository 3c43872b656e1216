/**
 * Describes the attributes of a resource in one place: for /Schemas, for filters and orders, and for the
 * paths of changes. RFC 7643 §7.
 */
import type { Sql } from '../../kernel/db/sql.ts'
import { nearest } from '../../kernel/lib/nearest.ts'
import { quoteValue } from '../../kernel/lib/quote-value.ts'

/** An attribute of a resource, or a part of one. */
export interface Attribute {
  name: string
  type: 'string' | 'boolean' | 'dateTime' | 'complex'
  description: string
  isReadOnly?: true
  isRequired?: true
  /** Whether upper and lower case differ in comparisons. */
  isCaseExact?: true
  /** Whether the value must be unique among resources. */
  isUnique?: true
  isMultiValued?: true
  /** Whether all resources have it. /Schemas then omits it. */
  isCommon?: true
  /** The parts of a complex attribute. */
  parts?: readonly Attribute[]
  /** The value in SQL, null if there is none. Omitted: the attribute has parts. */
  sql?: Sql
  /**
   * For an attribute with several values: the condition that at least one value meets a condition on its
   * parts.
   */
  holds?: (condition: Sql) => Sql
}

/** The attributes that identify every resource, by their values in SQL. */
export const idsOf = (id: Sql, externalId: Sql): readonly Attribute[] => [
  {
    name: 'id',
    type: 'string',
    description: 'The id. It never changes.',
    isReadOnly: true,
    isCaseExact: true,
    isCommon: true,
    sql: id,
  },
  {
    name: 'externalId',
    type: 'string',
    description: 'The id in the directory.',
    isCaseExact: true,
    isCommon: true,
    sql: externalId,
  },
]

/** The name of an attribute, and that of a part of it. Case does not matter. */
export interface AttributePath {
  attribute: string
  part: string | undefined
}

/** An attribute that a path names. `part` is undefined if the path names the whole attribute. */
export interface Resolved {
  attribute: Attribute
  part: Attribute | undefined
}

/** Returns the attribute with a name; undefined if there is none. Case does not matter. */
export const attributeNamed = (attributes: readonly Attribute[], name: string): Attribute | undefined =>
  attributes.find((attribute) => attribute.name.toLowerCase() === name.toLowerCase())

/** Finds the attribute of a path. Returns the reason as a text if it does not exist. */
export function resolve(
  attributes: readonly Attribute[],
  { attribute: name, part: partName }: AttributePath,
): Resolved | string {
  const attribute = attributeNamed(attributes, name)
  if (!attribute) return unknownName(name, attributes)
  if (partName === undefined) return { attribute, part: undefined }
  const part = attributeNamed(attribute.parts ?? [], partName)
  return part ? { attribute, part } : unknownName(`${name}.${partName}`, attribute.parts ?? [])
}

function unknownName(name: string, known: readonly Attribute[]): string {
  const meant = nearest(
    name,
    known.map((attribute) => attribute.name),
  )
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`
  return `There is no attribute ${quoteValue(name)}.${hint}`
}
