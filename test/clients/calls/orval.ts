/** The same calls as in openapi-fetch.ts, with the functions of orval. */
import * as app from '../.generated/app/orval.ts'
import * as service from '../.generated/service/orval.ts'
import { type AppCalls, first, type Login, type ServiceCalls } from './results.ts'

export async function callApp({ token }: Login): Promise<AppCalls> {
  const options = { headers: { authorization: `Bearer ${token}` } }
  const made = await app.createTools({ name: 'Saw', fee: 2.5, condition: 'new' }, undefined, options)
  if (made.status !== 201) throw new Error(`createTools answered ${made.status}`)
  const one = first(made.data.data)
  const more = await app.createTools([{ name: 'Axe', fee: 1 }, { name: 'File' }], undefined, options)
  const listed = await app.listTools({ ordering: '-name', page_size: 2 }, options)
  const record = String(one.id)
  const read = await app.readTool(record, undefined, options)
  const changed = await app.changeTool(record, { fee: 3 }, undefined, options)
  const replaced = await app.replaceTool(record, { name: 'Handsaw' }, undefined, options)
  const upserted = await app.upsertTools({ id: one.id, name: 'Hacksaw' }, { unique_fields: ['id'] }, options)
  const refused = await app.createTools({ name: 'Nail', fee: -1 }, undefined, options)
  const deleted = await app.deleteTool(record, undefined, options)
  const all = await app.deleteTools({ filter: '{"id__gt": 0}' }, options)
  return {
    made: one.name,
    more: more.status === 201 && Array.isArray(more.data.data) ? more.data.data.length : 0,
    listed: {
      total: listed.status === 200 && 'total' in listed.data ? listed.data.total : null,
      count: listed.status === 200 && Array.isArray(listed.data.data) ? listed.data.data.length : 0,
    },
    read: read.status === 200 && 'name' in read.data.data ? read.data.data.name : null,
    changed: changed.status === 200 ? changed.data.data.fee : undefined,
    replaced:
      replaced.status === 200
        ? [replaced.data.data.name, replaced.data.data.fee, replaced.data.data.condition]
        : [],
    upserted: [upserted.status, upserted.status === 200 ? upserted.data.updated_count : undefined],
    refused: [
      refused.status,
      refused.status === 400 && 'details' in refused.data ? Object.keys(refused.data.details) : [],
    ],
    deleted: deleted.status,
    all: all.status === 200 ? all.data.deleted : undefined,
  }
}

export async function callService({ email, password }: Login): Promise<ServiceCalls> {
  const signedIn = await service.signIn({ username: email, password })
  if (signedIn.status !== 200) throw new Error(`signIn answered ${signedIn.status}`)
  const options = { headers: { authorization: `Bearer ${signedIn.data.access}` } }
  const me = await service.readMe(options)
  const apps = await service.listApps({ page_size: 5 }, options)
  const read = await service.readApp('workshop', options)
  const tag = await service.createTag({ name: 'orval' }, options)
  const slug = tag.status === 201 ? tag.data.slug : ''
  const tags = await service.listTags(undefined, options)
  const changed = await service.changeTag(slug, { color: '#FF0000' }, options)
  const deleted = await service.deleteTag(slug, options)
  const missing = await service.readSecret('NONE', undefined, options)
  const records = await service.listRecords('workshop', 'tools', undefined, options)
  return {
    signedIn: signedIn.data.token_type,
    me: me.status === 200 ? me.data.email : undefined,
    apps: apps.status === 200 && 'results' in apps.data ? apps.data.results.map(({ slug }) => slug) : [],
    app: read.status === 200 ? read.data.name : undefined,
    tag: slug,
    tags: tags.status === 200 && Array.isArray(tags.data) ? tags.data.length : 0,
    changed: changed.status === 200 ? changed.data.color : undefined,
    deleted: deleted.status,
    missing: missing.status,
    records: records.status,
  }
}
