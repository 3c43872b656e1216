/** What of functions is encrypted, for whoever encrypts it anew. */
import { sql } from '../db/sql.ts'
import type { Keeper } from '../secrets/rotation/service.ts'
import { placeOf, type SealedRow } from './sealed.ts'

export const functionSecrets: Keeper<SealedRow> = {
  select: (version, afterId, limit) => sql`
    select f.uuid, f.version, f.sealed from _functions f
     where split_part(f.sealed, '.', 1)::integer < ${version} and (${afterId}::uuid is null or f.uuid > ${afterId}::uuid)
     order by f.uuid limit ${limit}`,
  textOf: (row) => ({ id: row.uuid, place: placeOf(row), stored: row.sealed }),
  replace: ({ id, stored: present }, stored) => sql`update _functions f set sealed = ${stored} where f.uuid = ${id} and f.sealed = ${present}`,
}
