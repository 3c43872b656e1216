/**
 * Restores one site from another database with its earlier state: a branch at an earlier time. The running
 * service reads the site there and creates a copy next to the current site. The copy can then replace the
 * current site. docs/operate/restore.md.
 */
import { randomUUID } from 'node:crypto'
import { seal } from '../src/kernel/access/derived-keys.ts'

/** Runs a statement with the rights of the role that owns the database. */
export type Query = <Row>(text: string, values?: unknown[]) => Promise<Row[]>

/** The database of the service, and the one with the earlier state of the site. */
export interface Databases {
  present: Query
  branch: Query
}

/** The earlier and the current number of records of a table. Null: the table did not exist, or does not. */
interface ComparedTable {
  table: string
  before: number | null
  now: number | null
}

/** The content of a restore. */
export interface Comparison {
  tables: readonly ComparedTable[]
  /** Secrets and functions. */
  secrets: { before: number; now: number | null }
  functions: { before: number; now: number | null }
}

interface FoundSite {
  id: number
  organization: number
  name: string
}

const selectSite = `
  select s.id::float8 as id, s.organization_id::float8 as organization, s.name
    from public.sites s where s.slug = $1`

/**
 * Compares a site with its earlier state. Throws an Error if it did not exist, or if the branch has an older
 * schema.
 */
export async function compareSite({ present, branch }: Databases, slug: string): Promise<Comparison> {
  const then = await siteThen({ present, branch }, slug)
  const [now] = await present<FoundSite>(selectSite, [slug])
  const [before, after] = [
    await contentOf(branch, then.id),
    now ? await contentOf(present, now.id) : undefined,
  ]
  const names = new Set([...before.tables.keys(), ...(after?.tables.keys() ?? [])])
  const count = (of: 'secrets' | 'functions') => ({ before: before[of], now: after?.[of] ?? null })
  return {
    tables: [...names].toSorted().map((table) => ({
      table,
      before: before.tables.get(table) ?? null,
      now: after?.tables.get(table) ?? null,
    })),
    secrets: count('secrets'),
    functions: count('functions'),
  }
}

/** Finds the site in its earlier state. */
async function siteThen({ present, branch }: Databases, slug: string): Promise<FoundSite> {
  const [then] = await branch<FoundSite>(selectSite, [slug])
  if (!then) throw new Error(`The branch has no site ${slug}.`)
  const schemas = await Promise.all(
    [present, branch].map((query) =>
      query<{ names: string }>(`select string_agg(m.name, ' ' order by m.name) as names
                                  from public.schema_migrations m`),
    ),
  )
  if (schemas[0]?.[0]?.names !== schemas[1]?.[0]?.names)
    throw new Error('The branch has another schema. Migrate it first: npm run db:migrate, with its address.')
  return then
}

interface Content {
  tables: Map<string, number>
  secrets: number
  functions: number
}

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Counts the content of a site. */
async function contentOf(query: Query, siteId: number): Promise<Content> {
  const rows = await query<{ table: string; relation: string }>(
    `select a.slug || '/' || t.name as table, t.physical_table_name as relation
       from tenant._datatables t
       join tenant._apps a on a.site_id = t.site_id and a.id = t.app_id
       join tenant._datasources d on d.site_id = t.site_id and d.id = t.data_source_id
      where t.site_id = $1 and t.is_materialized and a.is_active and d.is_active`,
    [siteId],
  )
  const tables = new Map<string, number>()
  for (const { table, relation } of rows) {
    // Only the role of the site can read the tables of records, so this enters the site.
    const [counted] = await query<{ answer: string }>(
      `select r.answer
         from public.enter_as_service($1, 600000) e
        cross join lateral public.run_in_site(array[$2 || e::text], '{}', null) r where r.n = 1`,
      [siteId, `rselect count(*) as count from ${identifier(relation)}`],
    )
    tables.set(table, counted ? (JSON.parse(counted.answer) as { count: number }).count : 0)
  }
  const [others] = await query<{ secrets: number; functions: number }>(
    `select (select count(*)::int from tenant._secrets s where s.site_id = $1) as secrets,
            (select count(*)::int from tenant._functions f where f.site_id = $1) as functions`,
    [siteId],
  )
  return { tables, secrets: others?.secrets ?? 0, functions: others?.functions ?? 0 }
}

/** The site to restore, and the new site. */
export interface Restoring {
  slug: string
  /** The slug of the new site. */
  target: string
  /** The e-mail address of the superuser in whose name the site is created. */
  by: string
  /** The address of the branch for the role of the service. */
  serviceUrl: string
  signingKeys: string
}

/**
 * Begins to create the earlier site next to the current one. Returns the id of the transfer, which the
 * service carries out. Changes the branch: the site answers requests there, and the superuser can read it.
 */
export async function beginRestore(databases: Databases, restoring: Restoring): Promise<string> {
  const { present, branch } = databases
  const { slug, target, by, serviceUrl, signingKeys } = restoring
  const then = await siteThen(databases, slug)
  const [actor] = await present<{ id: number; generation: number }>(
    `select u.id::float8 as id, u.generation from public.users u
      where lower(u.email) = lower($1) and u.is_superuser and u.is_active`,
    [by],
  )
  if (!actor) throw new Error(`No superuser who can sign in has the address ${by}.`)
  const known = await branch(
    `update public.users u set generation = $2, is_active = true, is_superuser = true
      where u.id = $1 and lower(u.email) = lower($3) returning u.id`,
    [actor.id, actor.generation, by],
  )
  if (known.length === 0) throw new Error(`The account ${by} was not there then. Name another superuser.`)
  await branch(
    'update public.sites s set is_active = true, suspended_by = null, deletes_at = null where s.id = $1',
    [then.id],
  )
  const id = randomUUID()
  const sealed = await seal({ SIGNING_KEYS: signingKeys }, 'transfers', [id], serviceUrl)
  const options = { rows: true, secrets: true, restored: slug }
  await present(
    `select t.id
       from public.create_site($1::bigint, $2::bigint, $3, $4, 'preview') s
      cross join lateral public.begin_transfer(json_populate_record(null::public.transfers, json_build_object(
        'id', $5::uuid, 'kind', 'copy', 'state', 'running', 'organization_id', $1::bigint,
        'site_id', (select x.id from public.sites x where x.slug = $6), 'target_id', s.id, 'slug', $4::text,
        'options', $7::json, 'sealed', $8::text, 'position', 0, 'counts', '{}'::json, 'notes', '[]'::json,
        'attempts', 0, 'created_by', $2::bigint, 'generation', $9::integer, 'created', now(),
        'expires_at', now() + interval '30 days')), 1000, 9223372036854775807) t`,
    [
      then.organization,
      actor.id,
      then.name,
      target,
      id,
      slug,
      JSON.stringify(options),
      sealed,
      actor.generation,
    ],
  )
  return id
}

/** The progress of a transfer. */
export interface RestoreState {
  state: string
  position: number
  total: number | null
  error: string | null
}

/** Returns the progress of a restore. */
export async function stateOfRestore(present: Query, id: string): Promise<RestoreState> {
  const [row] = await present<RestoreState>(
    `select t.state, t.position, json_array_length(t.tasks) as total, t.error from public.transfers t where t.id = $1`,
    [id],
  )
  if (!row) throw new Error('The transfer no longer exists.')
  return row
}

/** Replaces a site by another one; the first one is then called `aside`. See public.replace_site. */
export async function replaceSite(present: Query, slug: string, target: string, aside: string) {
  const [moved] = await present<{ domains: number; permissions: number; keys: number }>(
    'select domains, permissions, keys from public.replace_site($1, $2, $3)',
    [slug, target, aside],
  )
  return moved
}
