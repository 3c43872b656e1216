/** The SQL of social apps. */

import type { socialApps } from '../../../../drizzle/tenant/login.ts'
import { columnsOf, computed, of } from '../../../kernel/db/columns.ts'
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { type List, selectPage } from '../../../kernel/http/lists/list.ts'
import { providerLabels } from '../providers/registry.ts'
import { listForm, type Settings, type SocialAppsQuery } from './schema.ts'

const a = of<typeof socialApps>('a')

/** A row of `_social_apps`. `secret` and `key` are encrypted. */
export interface SocialAppRow {
  id: number
  uid: string
  provider: string
  provider_id: string
  /** The name of the app in paths: its `provider_id`, or its provider if it has none. S2. */
  handle: string
  name: string
  client_id: string
  secret: string
  key: string
  /** The version of the credentials. */
  version: number
  /** The version of the row. */
  revision: number
  settings: Settings
  issuer: string | null
}

/** The secret and the key, encrypted or decrypted. */
export type Credentials = Readonly<Pick<SocialAppRow, 'secret' | 'key'>>

/** The columns of a SocialAppRow, from `_social_apps a`. */
export const columns = a(
  'id',
  'uid',
  'provider',
  'provider_id',
  'handle',
  'name',
  'client_id',
  'secret',
  'key',
  'version',
  'revision',
  'settings',
  'issuer',
)

/** The same for a list, without the metadata of SAML providers, which is long. */
const listColumns = columnsOf(
  a(
    'id',
    'uid',
    'provider',
    'provider_id',
    'handle',
    'name',
    'client_id',
    'secret',
    'key',
    'version',
    'revision',
  ),
  computed<Pick<SocialAppRow, 'settings'>>({ settings: sql`a.settings #- '{saml,metadata}'` }),
  a('issuer'),
)

/** The list. It can be ordered only by public fields, because an order reveals the values of its column. */
export const list: List<typeof listForm> = {
  ...listForm,
  columns: {
    id: sql`a.id`,
    name: sql`a.name`,
    provider: sql`a.provider`,
    provider_id: sql`a.provider_id`,
    provider_display: sql`(${JSON.stringify(providerLabels)}::jsonb ->> a.provider)`,
    is_configured: sql`(a.issuer is not null)`,
    icon: sql`coalesce(a.settings ->> 'icon', '')`,
    auto_redirect: sql`coalesce((a.settings ->> 'auto_redirect')::boolean, false)`,
  },
  last: sql`a.id`,
  texts: [sql`a.name`, sql`a.provider`, sql`a.client_id`, sql`a.provider_id`],
}

/** Selects a page of the list. */
export const selectApps = (query: SocialAppsQuery) =>
  selectPage(list, query, {
    columns: listColumns,
    from: sql`_social_apps a`,
    where: query.provider === undefined ? [] : [sql`a.provider = ${query.provider}`],
  })

/** Selects the display name of the site, and whether everybody may sign up. Runs as the service. */
export const selectSiteName = (host: string, slug: string | null) => sql<{
  name: string
  is_open: boolean
}>`
  select s.name, s.sign_up = 'open' as is_open from public.sites s
   where s.slug = public.site_at(${host}, ${slug})`

/** Selects the apps of the site, at most 100. */
export const selectAllApps = sql<SocialAppRow>`
  select ${listColumns} from _social_apps a order by a.id limit 100`

export const selectApp = (id: number) => sql`select ${columns} from _social_apps a where a.id = ${id}`

/** An app to insert. Its credentials are encrypted. */
export interface NewApp
  extends Credentials,
    Pick<SocialAppRow, 'uid' | 'provider' | 'provider_id' | 'name' | 'client_id' | 'settings' | 'issuer'> {}

/** Inserts an app and returns it. Violates `_social_apps_handle_key` if the handle is taken. */
export const insertApp = (userId: number, app: NewApp) => sql`
  insert into _social_apps as a
    (uid, provider, provider_id, name, client_id, secret, key, settings, issuer, created_by)
  values (${app.uid}, ${app.provider}, ${app.provider_id}, ${app.name}, ${app.client_id}, ${app.secret},
          ${app.key}, ${JSON.stringify(app.settings)}::jsonb, ${app.issuer}, ${userId})
  returning ${columns}`

/** An update of the revision that was read. Without credentials, the stored ones are kept. */
export interface AppUpdate {
  userId: number
  previous: Pick<SocialAppRow, 'id' | 'revision'>
  app: Omit<NewApp, 'uid' | keyof Credentials>
  credentials: Credentials | null
}

/** Updates an app and returns it. Returns no row if the app has changed since it was read. */
export const updateApp = ({ userId, previous, app, credentials }: AppUpdate) => sql`
  update _social_apps a
     set provider = ${app.provider}, provider_id = ${app.provider_id}, name = ${app.name},
         client_id = ${app.client_id}, settings = ${JSON.stringify(app.settings)}::jsonb,
         issuer = ${app.issuer},
         secret = coalesce(${credentials?.secret ?? null}, a.secret),
         key = coalesce(${credentials?.key ?? null}, a.key),
         version = a.version + ${credentials ? 1 : 0}, revision = a.revision + 1,
         updated_at = now(), modified_by = ${userId}
   where a.id = ${previous.id} and a.revision = ${previous.revision}
  returning ${columns}`

/** Sets the issuer of an app, unless the app has changed since it was read. */
export const updateIssuer = (id: number, revision: number, issuer: string | null): Sql => sql`
  update _social_apps a set issuer = ${issuer} where a.id = ${id} and a.revision = ${revision}`

/** Locks the app and counts the users who sign in with it, for `deleteApp`. Runs as the service. */
export const lockApp = (host: string, slug: string | null, id: number) => sql<{ users: number }>`
  select public.hold_social_app(${host}, ${slug}, ${id}) as users`

/** Deletes an app. Returns no row if `lockApp` has counted users: a trigger then keeps the app. */
export const deleteApp = (id: number) => sql<{ id: number }>`
  update _social_apps a set is_gone = true where a.id = ${id} returning a.id`
