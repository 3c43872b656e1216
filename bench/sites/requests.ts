/** The rows of a site, and six frequent requests as the statements that they send. Names have no schema. */
import { selectLoneCatalog } from '../../src/data/catalog/store.ts'
import { callOf } from '../../src/kernel/db/run.ts'
import type { Session } from './session.ts'

const each = (count: number, select: string) => `${select} from generate_series(1, ${count}) i`

/** Adds about 500 rows of the service and a table with 200 records to a site. */
export const seed = (session: Session, id: number): Promise<void> =>
  session.inSite(id, [
    `insert into _apps (name, slug, created_by) values ('Shop', 'shop', 1)`,
    `insert into _datasources (app_id, name, slug, provider_type, created_by)
     select id, 'Main', 'main', 'postgres', 1 from _apps`,
    `insert into _datatables (app_id, data_source_id, name, json_schema, schema_hash, physical_table_name,
       is_materialized, created_by)
     select d.app_id, d.id, 'orders_' || i, '{"fields": [{"name": "id", "type": "integer"}], "primaryKey": ["id"]}',
            'x', 'shop_orders_' || i, true, 1 from _datasources d, generate_series(1, 10) i`,
    `insert into _functions (app_id, name, slug, execution_mode, code, timeout_seconds, is_active, uuid, created_by)
     select a.id, 'Function ' || i, 'function-' || i, 'app', 'export default () => 1', 10, true, gen_random_uuid(), 1
       from _apps a, generate_series(1, 20) i`,
    `insert into _secrets (id, key, type_id, ciphertext, created_by, created_by_username)
     select gen_random_uuid(), 'KEY_' || i, (select min(t.id) from _secret_types t), repeat('x', 80), 1, 'x'
       from generate_series(1, 40) i`,
    `insert into _invocations (delivery_id, event_id, function_id, function_name, function_slug, trigger_type, status,
       params, due_at)
     select 0, -i, f.id, f.name, f.slug, 'event', 'SUCCESS', '{}', now()
       from generate_series(1, 400) i join _functions f on f.slug = 'function-' || (1 + i % 20)`,
    `create table site_${id}.shop_orders (
       id bigint generated always as identity primary key, name text not null, amount numeric)`,
    each(200, `insert into site_${id}.shop_orders (name, amount) select 'Order ' || i, i`),
  ])

const delivery = `insert into _deliveries (event, functions, records, due_at)
  values ('RECORD_CREATE', '{}', '[{}]', now() + interval '1 hour') returning id`

const [[catalog = ''] = [], values] = callOf('run_in_site', [selectLoneCatalog('shop')]).values as [
  string[],
  string[],
]
/** The statement of the catalog with its only value. */
const catalogText = catalog.slice(1).replaceAll('%1$L', `'${values[0]}'`).replaceAll('%%', '%')

export const requests: { name: string; texts(id: number): string[] }[] = [
  {
    name: 'Get a secret',
    texts: () => [
      `select s.id, s.key, s.ciphertext, s.version, t.slug, a.slug as app,
              (select json_agg(g.name) from _secret_tags x join _tags g on g.id = x.tag_id where x.secret_id = s.id) as tags
         from _secrets s join _secret_types t on t.id = s.type_id left join _apps a on a.id = s.app_id
        where s.key = 'KEY_7' and s.app_id is null`,
    ],
  },
  {
    name: 'List functions',
    texts: () => [
      'select count(*) from _functions f join _apps a on a.id = f.app_id where a.is_active',
      `select f.id, f.name, f.slug, f.execution_mode, f.schedule, f.is_active, a.name as app
         from _functions f join _apps a on a.id = f.app_id where a.is_active order by f.name, f.id limit 20`,
    ],
  },
  {
    name: 'Newest 20 invocations',
    texts: () => [
      'select count(*) from _invocations',
      'select id, function_name, status, params, created_at from _invocations order by id desc limit 20',
    ],
  },
  { name: 'Load the catalog of an app', texts: () => [catalogText] },
  {
    name: 'Insert an invocation with its delivery',
    texts: () => [
      `with d as (${delivery})
       insert into _invocations (delivery_id, event_id, function_id, function_name, function_slug, trigger_type,
         status, params, due_at)
       select d.id, d.id, f.id, f.name, f.slug, 'api', 'PENDING', '{}', now()
         from d, _functions f where f.slug = 'function-3' returning id`,
    ],
  },
  {
    name: 'Create a record with its delivery',
    texts: (id) => [
      `with r as (insert into site_${id}.shop_orders (name, amount) values ('New', 1) returning id),
            d as (${delivery})
       select r.id from r, d`,
    ],
  },
]
