/** The same calls as in openapi-fetch.ts, with the functions of @hey-api/openapi-ts. */
import { createClient as createAppClient } from '../.generated/app/hey-api/client/index.ts'
import * as app from '../.generated/app/hey-api/sdk.gen.ts'
import { createClient } from '../.generated/service/hey-api/client/index.ts'
import * as service from '../.generated/service/hey-api/sdk.gen.ts'
import { type AppCalls, first, type Login, type ServiceCalls } from './results.ts'

export async function callApp({ base, token }: Login): Promise<AppCalls> {
  const client = createAppClient({ baseUrl: base, auth: token })
  const made = await app.createTools({ client, body: { name: 'Saw', fee: 2.5, condition: 'new' } })
  const one = first(made.data?.data)
  const more = await app.createTools({ client, body: [{ name: 'Axe', fee: 1 }, { name: 'File' }] })
  const listed = await app.listTools({ client, query: { ordering: '-name', page_size: 2 } })
  const path = { record: String(one.id) }
  const read = await app.readTool({ client, path })
  const changed = await app.changeTool({ client, path, body: { fee: 3 } })
  const replaced = await app.replaceTool({ client, path, body: { name: 'Handsaw' } })
  const upserted = await app.upsertTools({
    client,
    query: { unique_fields: ['id'] },
    body: { id: one.id, name: 'Hacksaw' },
  })
  const refused = await app.createTools({ client, body: { name: 'Nail', fee: -1 } })
  const deleted = await app.deleteTool({ client, path })
  const all = await app.deleteTools({ client, query: { filter: '{"id__gt": 0}' } })
  return {
    made: one.name,
    more: Array.isArray(more.data?.data) ? more.data.data.length : 0,
    listed: {
      total: listed.data && 'total' in listed.data ? listed.data.total : null,
      count: Array.isArray(listed.data?.data) ? listed.data.data.length : 0,
    },
    read: read.data && 'name' in read.data.data ? read.data.data.name : null,
    changed: changed.data?.data.fee,
    replaced: [replaced.data?.data.name, replaced.data?.data.fee, replaced.data?.data.condition],
    upserted: [upserted.response?.status, upserted.data?.updated_count],
    refused: [
      refused.response?.status,
      refused.error && 'details' in refused.error ? Object.keys(refused.error.details) : [],
    ],
    deleted: deleted.response?.status ?? 0,
    all: all.data?.deleted,
  }
}

export async function callService({ base, email, password }: Login): Promise<ServiceCalls> {
  const signedIn = await service.signIn({
    client: createClient({ baseUrl: base }),
    body: { username: email, password },
  })
  const client = createClient({ baseUrl: base, auth: () => signedIn.data?.access })
  const me = await service.readMe({ client })
  const apps = await service.listApps({ client, query: { page_size: 5 } })
  const read = await service.readApp({ client, path: { app: 'workshop' } })
  const tag = await service.createTag({ client, body: { name: 'hey-api' } })
  const slug = tag.data?.slug ?? ''
  const tags = await service.listTags({ client })
  const changed = await service.changeTag({ client, path: { tag: slug }, body: { color: '#FF0000' } })
  const deleted = await service.deleteTag({ client, path: { tag: slug } })
  const missing = await service.readSecret({ client, path: { secret: 'NONE' } })
  const records = await service.listRecords({ client, path: { app: 'workshop', table: 'tools' } })
  return {
    signedIn: signedIn.data?.token_type,
    me: me.data?.email,
    apps: apps.data && 'results' in apps.data ? apps.data.results.map(({ slug }) => slug) : [],
    app: read.data?.name,
    tag: slug,
    tags: Array.isArray(tags.data) ? tags.data.length : 0,
    changed: changed.data?.color,
    deleted: deleted.response?.status ?? 0,
    missing: missing.response?.status ?? 0,
    records: records.response?.status ?? 0,
  }
}
