/**
 * Where hostile statements are tried: two sites of one service, the attacker's and the victim's, and
 * connections to its database. It needs only SQL and HTTP, so that the attempts run on every version of
 * Postgres.
 */
import { neon } from '@neondatabase/serverless'

export interface Doors {
  /** The address of the database for the role of the service, and for the superuser of the server. */
  serviceUrl: string
  superuserUrl: string
  /** Sends a request as a superuser of the service, and returns the body. Throws if the status is not 2xx. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes
  request(method: string, path: string, body?: unknown): Promise<any>
}

/** One of the two sites. */
export interface Place {
  /** The id of the site, which its schema and its role have in their names. */
  id: number
  slug: string
  schema: string
  /** The schema of its guests' views. */
  guests: string
  /** The ids of one row of some tables. */
  app: number
  job: number
  secret: string
}

/** The result of an attempt: `done` or the SQLSTATE, and everything that the attacker gets to read. */
export interface Outcome {
  code: string
  seen: string
  /** The same for each step; none if one failed. */
  steps: string[]
}

export interface Ground {
  mine: Place
  theirs: Place
  /** The function that runs the statements of guests. */
  guestRunner: string
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>
  /** Runs statements in one transaction as a site: the attacker's, if none is named. */
  asSite(texts: readonly string[], place?: Place): Promise<Outcome>
  /** Runs statements in one transaction as an anonymous guest of a site. */
  asGuest(texts: readonly string[], place?: Place): Promise<Outcome>
  /** Runs steps in one session and one transaction. */
  inTurns(steps: readonly Step[]): Promise<Outcome>
}

/** Who runs which statements. A guest without a user is anonymous. */
export type Step = [
  who: 'platform' | { site: Place } | { guestOf: Place; user?: number },
  texts: readonly string[],
]

/** The role of the guests of all sites. */
export const guestRole = 'tessera_guest'

/** What the victim's values have in common. No attacker may ever see it. */
export const canary = 'CANARY_4711'

/** The same as an expression, so that the text of an attempt does not contain it. */
export const canarySql = `'CANARY' || '_4711'`

const anonymous = { signed_in: false, user: false, groups: [], permissions: [], roles: [] }

/** The fields with which a guest may create a record, and what they see. */
const goods = {
  name: 'goods',
  schema: {
    primaryKey: 'id',
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'name', type: 'string' },
      { name: 'hidden', type: 'string' },
    ],
  },
}
const rules = [
  { name: 'members', who: 'signed-in', can: ['read'], fields: { read: ['id', 'hidden'] } },
  {
    name: 'anyone',
    who: 'anyone',
    can: ['read', 'create', 'update', 'delete'],
    fields: { read: ['id', 'name'], write: ['name'] },
  },
]

export async function openGround(doors: Doors): Promise<Ground> {
  const service = neon(doors.serviceUrl)
  const superuser = neon(doors.superuserUrl)
  const sql = async <Row>(text: string, values: unknown[] = []) =>
    (await superuser.query(text, values)) as Row[]
  await doors.request('POST', '/api/cloud/organizations/', { name: 'Ground' })
  const mine = await makePlace(doors, sql, 'attacker', 'harmless')
  const theirs = await makePlace(doors, sql, 'victim', canary)
  // Statistics have the values of the victim, too.
  await sql('analyze')
  const inTurns = async (steps: readonly Step[]): Promise<Outcome> => {
    const queries = steps.map(queriesOf)
    const ends = queries.map((_, index) => queries.slice(0, index + 1).flat().length - 1)
    return service
      .transaction(queries.flat().map(([text, values]) => service.query(text, values)))
      .then((answers) => {
        const read = ends.map((end) => JSON.stringify(answers[end]))
        return { code: 'done', seen: read.join(), steps: read }
      }, failureOf)
  }
  const [runner] = await sql<{ name: string }>(
    `select p.oid::regproc::text as name from pg_proc p
      where p.pronamespace = 'runs'::regnamespace and p.proowner = '${guestRole}'::regrole`,
  )
  return {
    mine,
    theirs,
    guestRunner: runner?.name ?? '',
    sql,
    inTurns,
    asSite: (texts, place = mine) => inTurns([[{ site: place }, texts]]),
    asGuest: (texts, place = mine) => inTurns([[{ guestOf: place }, texts]]),
  }
}

type Query = [text: string, values: unknown[]]

function queriesOf([who, texts]: Step): Query[] {
  const statements = texts.map((text) => kindOf(text) + text.replaceAll('%', '%%'))
  const run = who === 'platform' ? 'public.run' : 'public.run_in_site'
  return [...enteringOf(who), [`select * from ${run}($1::text[], '{}', null)`, [statements]]]
}

function enteringOf(who: Step[0]): Query[] {
  if (who === 'platform') return []
  if ('site' in who) return [[`select public.enter_as_service($1, 5000)`, [who.site.id]]]
  const { guestOf, user = null } = who
  const caller = { id: user, generation: 1, request_id: 'x' }
  return [
    [
      `select public.enter_as_guest(null, $1, json_populate_record(null::public.caller, $2), $3, false,
                                    json_populate_record(null::public.visit, $4))`,
      [
        guestOf.slug,
        JSON.stringify(caller),
        JSON.stringify({ ...anonymous, signed_in: user !== null }),
        JSON.stringify({ site_id: guestOf.id, mode: 'write', timeout_ms: 5000 }),
      ],
    ],
  ]
}

/** Returns the letter with which tessera.run returns the rows of a statement, if it has any. */
const kindOf = (text: string) =>
  /^\s*(select|with|table|values|explain|execute|fetch|show)\b|\breturning\b/i.test(text) ? 'r' : 'c'

function failureOf(error: unknown): Outcome {
  const { code = String(error), message, detail, hint, where } = error as Record<string, string | undefined>
  return { code, seen: JSON.stringify({ message, detail, hint, where }), steps: [] }
}

/** Makes a site with rows in the tables of the service, a table of its own, and what guests may do with it. */
async function makePlace(
  { request }: Doors,
  sql: Ground['sql'],
  slug: string,
  value: string,
): Promise<Place> {
  const made = await request('POST', '/api/cloud/organizations/ground/sites/', { name: slug, slug })
  const api = `/sites/${slug}/api`
  await request('POST', `${api}/apps/`, { name: 'shop', description: value })
  await request('POST', `${api}/apps/shop/datatables/create_schema/?materialize=true`, { resources: [goods] })
  await request('PUT', `${api}/apps/shop/datatables/goods/access/`, { rules })
  await request('POST', `${api}/apps/shop/datatables/goods/data/`, [
    { name: value, hidden: value },
    { name: value, hidden: value },
  ])
  for (const key of ['FIRST', 'SECOND', 'THIRD'])
    await request('POST', `${api}/secrets/`, {
      key: `${key}_${value}`.toUpperCase(),
      secret_type: 'api-key',
      value: { api_key: value },
    })
  await request('POST', `${api}/apps/shop/functions/`, {
    name: 'nightly',
    execution_mode: 'app',
    code: `export default () => '${value}'`,
    schedule: '0 4 * * *',
  })
  const schema: string = made.schema_name
  const id = Number(schema.slice('site_'.length))
  for (const text of fillings) await sql(text, [id, value])
  const [ids] = await sql<Record<'app' | 'secret' | 'job', string>>(
    `select (select min(a.id) from tenant._apps a where a.site_id = $1) as app,
            (select min(s.id::text) from tenant._secrets s where s.site_id = $1) as secret,
            (select min(f.id) from tenant._functions f where f.site_id = $1) as job`,
    [id],
  )
  return {
    id,
    slug,
    schema,
    guests: `${schema}_guest`,
    app: Number(ids?.app),
    job: Number(ids?.job),
    secret: ids?.secret ?? '',
  }
}

/** Rows of tables that requests fill only as a consequence of others. $1: the site; $2: the value. */
const fillings = [
  `insert into tenant._kept_answers (site_id, key, request, writer, answer, expires_at)
   values ($1, $2, $2, gen_random_uuid(), $2, now() + interval '1 day')`,
  `insert into tenant._locks (site_id, name) values ($1, $2)`,
  `insert into tenant._awaited_notes (site_id, id, datasource_id, depth, due_at)
   select $1, md5($2)::uuid, min(d.id), 1, now() + interval '1 year' from tenant._datasources d where d.site_id = $1`,
  `insert into tenant._claims (site_id, table_name, session) values ($1, $2, 1)`,
  `insert into tenant._schema_jobs (site_id, table_name, request, created_by, generation)
   values ($1, format('"site_%s"."%s"', $1::bigint, $2::text), json_build_object('of', $2::text), 1, 1)`,
  `insert into tenant._index_advice (site_id, datatable_id, wanted, count, max_ms)
   select $1, min(t.id), jsonb_build_object('of', $2::text), 1, 1 from tenant._datatables t where t.site_id = $1`,
  `insert into tenant._erasures (site_id, record, versions) values ($1, $2, 1)`,
  `insert into tenant._questions (site_id, name, content, created_by)
   values ($1, $2, jsonb_build_object('of', $2::text), 1)`,
  `insert into tenant._dashboards (site_id, name, content, created_by)
   values ($1, $2, jsonb_build_object('of', $2::text), 1)`,
  `insert into tenant._deliveries (site_id, event, functions, records, due_at)
   values ($1, 'CREATED', '{}', $2, now() + interval '1 year')`,
  `insert into tenant._invocations (site_id, delivery_id, event_id, function_id, function_name, function_slug,
     trigger_type, status, params, due_at)
   select $1, 0, i, f.id, $2, f.slug, 'api', 'SUCCESS', json_build_object('of', $2::text), now()
     from tenant._functions f, generate_series(1, 40) i where f.site_id = $1`,
]
