/** The column of secrets with encrypted values, for the rotation of data keys. */
import { sql } from '../../kernel/db/sql.ts'
import type { EncryptedColumn } from '../rotation/service.ts'
import type { SecretRow } from './store.ts'
import { placeOf } from './values.ts'

type Row = Pick<SecretRow, 'id' | 'key' | 'app_id' | 'version'> & { ciphertext: string }

export const secretValues: EncryptedColumn<Row> = {
  select: (version, afterId, limit) => sql`
    select s.id, s.key, s.app_id, s.version, s.ciphertext from _secrets s
     where split_part(s.ciphertext, '.', 1)::integer < ${version}
       and (${afterId}::uuid is null or s.id > ${afterId}::uuid)
     order by s.id limit ${limit}`,
  textOf: (row) => ({ id: row.id, place: placeOf(row), stored: row.ciphertext }),
  replace: ({ id, stored: previous }, stored) =>
    sql`update _secrets s set ciphertext = ${stored} where s.id = ${id} and s.ciphertext = ${previous}`,
}
