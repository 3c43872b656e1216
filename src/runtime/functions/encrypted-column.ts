/** The column of functions with encrypted texts, for the rotation of data keys. */
import { sql } from '../../kernel/db/sql.ts'
import type { EncryptedColumn } from '../../secrets/rotation/service.ts'
import { type EncryptedRow, placeOf } from './function-secrets.ts'

/** The signing secrets and headers of functions. */
export const functionSecrets: EncryptedColumn<EncryptedRow> = {
  select: (version, afterId, limit) => sql`
    select f.uuid, f.version, f.sealed from _functions f
     where split_part(f.sealed, '.', 1)::integer < ${version}
       and (${afterId}::uuid is null or f.uuid > ${afterId}::uuid)
     order by f.uuid limit ${limit}`,
  textOf: (row) => ({ id: row.uuid, place: placeOf(row), stored: row.sealed }),
  replace: ({ id, stored: previous }, stored) =>
    sql`update _functions f set sealed = ${stored} where f.uuid = ${id} and f.sealed = ${previous}`,
}
