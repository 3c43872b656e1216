/** The secrets and keys of social apps, for whoever encrypts them anew. */
import { type Sql, sql } from '../../db/sql.ts'
import type { Keeper } from '../../secrets/rotation/service.ts'
import { type CredentialName, placeOf } from './credentials.ts'

const columns: Record<CredentialName, Sql> = { secret: sql`secret`, key: sql`key` }

interface Row {
  uid: string
  version: number
  stored: string
}

const keeperOf = (name: CredentialName): Keeper<Row> => {
  const column = columns[name]
  return {
    select: (version, afterId, limit) => sql`
      select a.uid, a.version, a.${column} as stored from _social_apps a
       where a.${column} <> '' and split_part(a.${column}, '.', 1)::integer < ${version} and (${afterId}::uuid is null or a.uid > ${afterId}::uuid)
       order by a.uid limit ${limit}`,
    textOf: ({ stored, ...owner }) => ({ id: owner.uid, place: placeOf(owner, name), stored }),
    replace: ({ id, stored: present }, stored) =>
      sql`update _social_apps a set ${column} = ${stored} where a.uid = ${id} and a.${column} = ${present}`,
  }
}

export const socialAppCredentials: readonly Keeper[] = [keeperOf('secret'), keeperOf('key')]
