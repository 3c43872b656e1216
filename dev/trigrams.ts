/** Installs the extension pg_trgm, which indexes of the method `trigram` need. */
import type pg from 'pg'

/**
 * Installs pg_trgm in the schema `tessera`, where every site may use it. Postgres lets the owner of a
 * database do this. If the server does not have it, or has it in another schema, prints the reason: schemas
 * with a trigram index are then rejected, and everything else works.
 */
export async function installTrigrams(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ schema: string }>(
    `select extnamespace::regnamespace::text as schema from pg_extension where extname = 'pg_trgm'`,
  )
  const schema = rows[0]?.schema
  if (schema === 'tessera') return
  try {
    if (schema !== undefined)
      throw new Error(
        `it is installed in the schema ${schema}; a superuser can move it: ` +
          'alter extension pg_trgm set schema tessera',
      )
    await client.query('create extension pg_trgm with schema tessera')
  } catch (error) {
    console.error(`Without pg_trgm there are no trigram indexes: ${(error as Error).message}.`)
  }
}
