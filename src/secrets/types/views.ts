/** What clients see of a secret type: in lists, alone, and when it was made. Spec: Endpoints, secret types. */
import type { SecretType, TypeCreated, TypeDetail } from './schema.ts'

export interface TypeRow extends SecretType {
  id: number
  version: number
}

export const asListItem = ({ id, version, ...type }: TypeRow): SecretType => type

export function asDetail(row: TypeRow): TypeDetail {
  const { schema, ...detail } = asListItem(row)
  return detail
}

export function asCreated(row: TypeRow): TypeCreated {
  const { description, ...created } = asDetail(row)
  return created
}
