/** Installs the extensions of Postgres that schemas may need. */
import type pg from 'pg'

/** The extensions, each with what is missing without it. */
export const extensions: ReadonlyMap<string, string> = new Map([
  ['pg_trgm', 'trigram indexes'],
  ['btree_gist', 'exclusions with fields'],
])

/**
 * Installs the extensions in the schema `tessera`, where every site may use them. Postgres lets the owner of
 * a database do this. If the server does not have one, or has it in another schema, prints the reason:
 * schemas that need it are then rejected, and everything else works.
 */
export async function installExtensions(client: pg.Client): Promise<void> {
  for (const [name, purpose] of extensions) await install(client, name, purpose)
}

async function install(client: pg.Client, name: string, purpose: string): Promise<void> {
  const { rows } = await client.query<{ schema: string }>(
    'select extnamespace::regnamespace::text as schema from pg_extension where extname = $1',
    [name],
  )
  const schema = rows[0]?.schema
  if (schema === 'tessera') return
  try {
    if (schema !== undefined)
      throw new Error(
        `it is installed in the schema ${schema}; a superuser can move it: ` +
          `alter extension ${name} set schema tessera`,
      )
    await client.query(`create extension ${name} with schema tessera`)
  } catch (error) {
    console.error(`Without ${name} there are no ${purpose}: ${(error as Error).message}.`)
  }
}
