/** The encrypted columns of social apps, for the rotation of data keys. */
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import type { EncryptedColumn } from '../../../secrets/rotation/service.ts'
import { type CredentialName, placeOf } from './credentials.ts'

const columns: Record<CredentialName, Sql> = { secret: sql`secret`, key: sql`key` }

interface Row {
  uid: string
  version: number
  stored: string
}

const encryptedColumn = (name: CredentialName): EncryptedColumn<Row> => {
  const column = columns[name]
  return {
    // An encrypted value begins with the version of its data key and a dot.
    select: (version, afterId, limit) => sql`
      select a.uid, a.version, a.${column} as stored from _social_apps a
       where a.${column} <> '' and split_part(a.${column}, '.', 1)::integer < ${version}
         and (${afterId}::uuid is null or a.uid > ${afterId}::uuid)
       order by a.uid limit ${limit}`,
    textOf: ({ stored, ...app }) => ({ id: app.uid, place: placeOf(app, name), stored }),
    replace: ({ id, stored: previous }, stored) =>
      sql`update _social_apps a set ${column} = ${stored} where a.uid = ${id} and a.${column} = ${previous}`,
  }
}

/** The columns `secret` and `key`. */
export const socialAppCredentials: readonly EncryptedColumn[] = [
  encryptedColumn('secret'),
  encryptedColumn('key'),
]
