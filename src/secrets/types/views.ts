/** The API forms of a secret type: in lists, alone, and after its creation. Spec: Endpoints, secret types. */
import type { SecretType, TypeCreated, TypeDetail } from './schema.ts'

/** A stored type. */
export interface TypeRow extends SecretType {
  id: number
  /** The number of changes of the schema. */
  version: number
}

/** Returns the form in lists. */
export const asListItem = ({ id, version, ...type }: TypeRow): SecretType => type

/** Returns the form without the schema. */
export function asDetail(row: TypeRow): TypeDetail {
  const { schema, ...detail } = asListItem(row)
  return detail
}

/** Returns the form after the creation. */
export function asCreated(row: TypeRow): TypeCreated {
  const { description, ...created } = asDetail(row)
  return created
}
