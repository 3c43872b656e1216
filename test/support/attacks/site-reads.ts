/** Hostile statements of a site that try to read the rows of another site in the service's tables. */
import type { Attempt } from './attempt.ts'
import { canarySql, type Ground } from './ground.ts'

/** A function of the attacker's that raises an error with what it is given, if that is the victim's. */
const spy = ({ mine }: Ground, name: string, cost = '0.0000001') =>
  `create or replace function ${mine.schema}.${name}(text) returns boolean language plpgsql immutable cost ${cost} as $f$
     begin if $1 like '%' || ${canarySql} then raise exception 'leaked %', $1; end if; return true; end $f$`

/** A statement that sets something and then reads the victim's secrets. */
const afterSetting =
  (name: string, value: (ground: Ground) => string) =>
  (ground: Ground): string[] => [
    `select set_config('${name}', '${value(ground)}', true)`,
    `select * from tenant._secrets where site_id = ${ground.theirs.id}`,
  ]

export const siteReads: Attempt[] = [
  [
    'by the number of the site',
    ({ theirs }) => [`select * from tenant._secrets where site_id = ${theirs.id}`],
    'nothing',
  ],
  ['by all others', ({ mine }) => [`select * from tenant._functions where site_id <> ${mine.id}`], 'nothing'],
  ['without a condition', () => ['select * from tenant._apps', 'table tenant._questions'], 'nothing'],
  [
    'by the id of a row',
    ({ theirs }) => [`select * from tenant._secrets where id = '${theirs.secret}'`],
    'nothing',
  ],
  [
    'by the place of a row',
    () => [
      `select * from tenant._apps where ctid = any (array(
         select format('(%s,%s)', p, t)::tid from generate_series(0, 9) p, generate_series(1, 60) t))`,
    ],
    'nothing',
  ],
  [
    'with a condition that is true',
    () => [`select * from tenant._apps where false or true or site_id is null`],
    'nothing',
  ],
  [
    'by a range of keys',
    () => ['select * from tenant._apps where (site_id, id) > (0, 0) order by site_id, id'],
    'nothing',
  ],
  ['by a sample', () => ['select * from tenant._apps tablesample system (100)'], 'nothing'],
  ['by system columns', () => ['select ctid, xmin, xmax, tableoid, a.* from tenant._apps a'], 'nothing'],
  ['by the row as a whole', () => ['select row_to_json(a) from tenant._apps a'], 'nothing'],
  [
    'by locking it',
    ({ theirs }) => [`select * from tenant._secrets where site_id = ${theirs.id} for update`],
    'nothing',
  ],
  ['without row-level security', afterSetting('row_security', () => 'off'), '42501'],
  ['as the setting of the site', afterSetting('tessera.site', ({ theirs }) => `${theirs.id}`), 'nothing'],
  ['with forged claims', afterSetting('tessera.claims', ({ theirs }) => `{"site": ${theirs.id}}`), 'nothing'],
  ['as another role', afterSetting('role', ({ theirs }) => theirs.schema), '42501'],
  ['as the group of sites', afterSetting('role', () => 'tessera_site'), '42501'],
  ['as another user', afterSetting('session_authorization', () => 'postgres'), '42501'],
  ['as a replica', afterSetting('session_replication_role', () => 'replica'), '42501'],
  [
    'with parallel workers',
    (ground) => [
      `select set_config(n, '0', true) from unnest(array['parallel_setup_cost', 'parallel_tuple_cost', 'min_parallel_table_scan_size']) n`,
      `select string_agg(description, '') from tenant._apps where site_id = ${ground.theirs.id}`,
    ],
    'nothing',
  ],
  [
    'with a cheap function',
    (ground) => [
      spy(ground, 'spy'),
      `select id from tenant._apps where ${ground.mine.schema}.spy(description)`,
    ],
    'nothing',
  ],
  [
    'with a cheap function in an order',
    ({ mine }) => [`select id from tenant._apps order by ${mine.schema}.spy(description)`],
    'nothing',
  ],
  [
    'with a cheap function in a join',
    ({ mine }) => [
      `select a.id from tenant._apps a join tenant._secrets s on ${mine.schema}.spy(a.description) and ${mine.schema}.spy(s.key)`,
    ],
    'nothing',
  ],
  [
    'with a function that says it leaks nothing',
    ({ mine }) => [`alter function ${mine.schema}.spy(text) leakproof`],
    '42501',
  ],
  [
    'with an operator that reads statistics',
    ({ mine }) => [
      `create function ${mine.schema}.same(text, text) returns boolean language plpgsql immutable cost 0.0000001 as $f$
       begin if $1 || $2 like '%' || ${canarySql} || '%' then raise exception 'leaked %', $1; end if; return true; end $f$`,
      `create operator ${mine.schema}.=== (leftarg = text, rightarg = text, function = ${mine.schema}.same, restrict = eqsel)`,
      `select id from tenant._apps where description operator(${mine.schema}.===) 'x'`,
      `explain select id from tenant._apps where description operator(${mine.schema}.===) 'x'`,
    ],
    'nothing',
  ],
  [
    'with an operator that reads a histogram',
    ({ mine }) => [
      `create operator ${mine.schema}.<<< (leftarg = text, rightarg = text, function = ${mine.schema}.same, restrict = scalarltsel)`,
      `explain select id from tenant._invocations where function_name operator(${mine.schema}.<<<) 'x'`,
    ],
    'nothing',
  ],
  [
    'by an error of a cast',
    ({ theirs }) => [`select description::integer from tenant._apps where site_id = ${theirs.id}`],
    'nothing',
  ],
  ['by a division', ({ theirs }) => [`select 1 / (site_id - ${theirs.id}) from tenant._apps`], 'nothing'],
  [
    'in the statistics',
    () => [`select * from pg_stats where schemaname = 'tenant'`, 'select * from pg_stats_ext'],
    'nothing',
  ],
  [
    'in the raw statistics',
    () => [`select * from pg_statistic where starelid = 'tenant._apps'::regclass`],
    '42501',
  ],
  [
    'by statistics of its own',
    ({ mine }) => [`create statistics ${mine.schema}.st (mcv) on description, name from tenant._apps`],
    '42501',
  ],
]
