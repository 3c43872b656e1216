/** `tessera data collections`: what is in the database of a datasource. docs/guide/mongodb.md. */
import type { Context } from '../context.ts'
import { requireSite } from '../require-site.ts'

interface Collection {
  name: string
  kind: string
  documents: number | null
  bytes: number | null
  datatable: string | null
}

/** Lists the collections of a datasource in MongoDB with their tables. */
export async function listCollections(
  context: Context,
  _options: object,
  app: string,
  datasource: string,
): Promise<void> {
  const client = context.client()
  await requireSite(client)
  const path = `/api/apps/${encodeURIComponent(app)}/datasources/${encodeURIComponent(datasource)}/collections/`
  const collections = await client.request<Collection[]>({ path })
  const { output } = context
  output.result(collections, () =>
    output.table(
      ['COLLECTION', 'KIND', 'DOCUMENTS', 'BYTES', 'TABLE'],
      collections.map(({ name, kind, documents, bytes, datatable }) => [
        ...[name, kind, documents, bytes],
        datatable,
      ]),
    ),
  )
}
