/** Ten calls to the service and ten to a table of an app, with the types of openapi-typescript. */
import createClient from 'openapi-fetch'
import type { paths as AppPaths } from '../.generated/app/paths.d.ts'
import type { paths as ServicePaths } from '../.generated/service/paths.d.ts'
import type { AppCalls, Login, ServiceCalls } from './results.ts'
import { first } from './results.ts'

const at = '/api/apps/workshop/datatables/tools/data/'

export async function callApp({ base, token }: Login): Promise<AppCalls> {
  const client = createClient<AppPaths>({ baseUrl: base, headers: { authorization: `Bearer ${token}` } })
  const made = await client.POST('/api/apps/workshop/datatables/tools/data/', {
    body: { name: 'Saw', fee: 2.5, condition: 'new' },
  })
  const one = first(made.data?.data)
  const more = await client.POST('/api/apps/workshop/datatables/tools/data/', {
    body: [{ name: 'Axe', fee: 1 }, { name: 'File' }],
  })
  const listed = await client.GET('/api/apps/workshop/datatables/tools/data/', {
    params: { query: { ordering: '-name', page_size: 2 } },
  })
  const path = { record: String(one.id) }
  const read = await client.GET('/api/apps/workshop/datatables/tools/data/{record}/', { params: { path } })
  const changed = await client.PATCH('/api/apps/workshop/datatables/tools/data/{record}/', {
    params: { path },
    body: { fee: 3 },
  })
  const replaced = await client.PUT('/api/apps/workshop/datatables/tools/data/{record}/', {
    params: { path },
    body: { name: 'Handsaw' },
  })
  const upserted = await client.POST('/api/apps/workshop/datatables/tools/data/upsert/', {
    params: { query: { unique_fields: ['id'] } },
    body: { id: one.id, name: 'Hacksaw' },
  })
  const refused = await client.POST('/api/apps/workshop/datatables/tools/data/', {
    body: { name: 'Nail', fee: -1 },
  })
  const deleted = await client.DELETE('/api/apps/workshop/datatables/tools/data/{record}/', {
    params: { path },
  })
  const all = await client.DELETE(at, { params: { query: { filter: '{"id__gt": 0}' } } })
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
    upserted: [upserted.response.status, upserted.data?.updated_count],
    refused: [
      refused.response.status,
      refused.error && 'details' in refused.error ? Object.keys(refused.error.details) : [],
    ],
    deleted: deleted.response.status,
    all: all.data?.deleted,
  }
}

export async function callService({ base, email, password }: Login): Promise<ServiceCalls> {
  const client = createClient<ServicePaths>({ baseUrl: base })
  const signedIn = await client.POST('/api/auth/jwt/token/', { body: { username: email, password } })
  client.use({
    onRequest({ request }) {
      request.headers.set('authorization', `Bearer ${signedIn.data?.access}`)
      return request
    },
  })
  const me = await client.GET('/api/users/me/')
  const apps = await client.GET('/api/apps/', { params: { query: { page_size: 5 } } })
  const app = await client.GET('/api/apps/{app}/', { params: { path: { app: 'workshop' } } })
  const tag = await client.POST('/api/tags/', { body: { name: 'openapi-fetch' } })
  const slug = tag.data?.slug ?? ''
  const tags = await client.GET('/api/tags/')
  const changed = await client.PATCH('/api/tags/{tag}/', {
    params: { path: { tag: slug } },
    body: { color: '#FF0000' },
  })
  const deleted = await client.DELETE('/api/tags/{tag}/', { params: { path: { tag: slug } } })
  const missing = await client.GET('/api/secrets/{secret}/', { params: { path: { secret: 'NONE' } } })
  const records = await client.GET('/api/apps/{app}/datatables/{table}/data/', {
    params: { path: { app: 'workshop', table: 'tools' } },
  })
  return {
    signedIn: signedIn.data?.token_type,
    me: me.data?.email,
    apps: apps.data && 'results' in apps.data ? apps.data.results.map(({ slug }) => slug) : [],
    app: app.data?.name,
    tag: slug,
    tags: Array.isArray(tags.data) ? tags.data.length : 0,
    changed: changed.data?.color,
    deleted: deleted.response.status,
    missing: missing.response.status,
    records: records.response.status,
  }
}
