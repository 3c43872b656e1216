import { type Sql, sql } from '../../db/sql.ts'
import { type List, selectList } from '../../http/lists/list.ts'
import type { Credentials } from './credentials.ts'
import type { Settings, SocialAppsQuery } from './schema.ts'

export interface SocialAppRow {
  id: number
  uid: string
  provider: string
  provider_id: string
  handle: string
  name: string
  client_id: string
  /** Both as they are stored. */
  secret: string
  key: string
  version: number
  revision: number
  settings: Settings
  issuer: string | null
}

export const columns = sql`
  a.id, a.uid, a.provider, a.provider_id, a.handle, a.name, a.client_id, a.secret, a.key, a.version, a.revision, a.settings, a.issuer`

/** What is shown, and nothing else: an order tells of what is ordered by. */
export const list: List = {
  orderings: new Map([
    ['id', sql`a.id`],
    ['name', sql`a.name`],
    ['provider', sql`a.provider`],
    ['provider_id', sql`a.provider_id`],
  ]),
  ordering: 'id',
  last: sql`a.id`,
  search: {
    texts: [sql`a.name`, sql`a.provider`, sql`a.client_id`, sql`a.provider_id`],
    in: 'the name, the provider, the client_id or the provider_id',
  },
  pageSize: 10,
}

export const selectApps = (query: SocialAppsQuery): Sql[] =>
  selectList(list, query, {
    columns,
    from: sql`_social_apps a`,
    where: query.provider === undefined ? [] : [sql`a.provider = ${query.provider}`],
  })

/** What people call the site. Runs before the tenant is entered. */
export const selectSiteName = (host: string, slug: string | null) => sql<{ name: string }>`
  select s.name from public.sites s where s.slug = public.site_at(${host}, ${slug})`

export const selectAllApps = sql<SocialAppRow>`select ${columns} from _social_apps a order by a.id limit 100`

export const selectApp = (id: number) => sql<SocialAppRow>`select ${columns} from _social_apps a where a.id = ${id}`

export interface NewApp extends Credentials, Pick<SocialAppRow, 'uid' | 'provider' | 'provider_id' | 'name' | 'client_id' | 'settings' | 'issuer'> {}

export const insertApp = (userId: number, app: NewApp) => sql<SocialAppRow>`
  insert into _social_apps as a (uid, provider, provider_id, name, client_id, secret, key, settings, issuer, created_by)
  values (${app.uid}, ${app.provider}, ${app.provider_id}, ${app.name}, ${app.client_id}, ${app.secret}, ${app.key},
          ${JSON.stringify(app.settings)}::jsonb, ${app.issuer}, ${userId})
  returning ${columns}`

/** No row when the app is no longer as it was read. Without credentials they stay. */
export const updateApp = (
  userId: number,
  read: SocialAppRow,
  app: Omit<NewApp, 'uid' | keyof Credentials>,
  credentials: Credentials | null,
) => sql<SocialAppRow>`
  update _social_apps a
     set provider = ${app.provider}, provider_id = ${app.provider_id}, name = ${app.name}, client_id = ${app.client_id},
         settings = ${JSON.stringify(app.settings)}::jsonb, issuer = ${app.issuer},
         secret = coalesce(${credentials?.secret ?? null}, a.secret), key = coalesce(${credentials?.key ?? null}, a.key),
         version = a.version + ${credentials ? 1 : 0}, revision = a.revision + 1, updated_at = now(), modified_by = ${userId}
   where a.id = ${read.id} and a.revision = ${read.revision}
  returning ${columns}`

/** Locks the app, and counts the users who sign in with it. Runs before the tenant is entered. */
export const holdApp = (host: string, slug: string | null, id: number) => sql<{ users: number }>`
  select public.hold_social_app(${host}, ${slug}, ${id}) as users`

/** After `holdApp`. No row for one that users sign in with. */
export const deleteApp = (id: number) => sql<{ id: number }>`
  delete from _social_apps a where a.id = ${id} and current_setting('tessera.social_users') = '0' returning a.id`
