/** Hostile statements of a guest of one site, aimed at this site and at another one. */
import type { Attempt } from './attempt.ts'
import { canarySql, type Ground, guestRole } from './ground.ts'

/** Reads the view of the other site's guests in all the ways in which a statement can name it. */
const shapes: [name: string, text: (view: string, ground: Ground) => string, verdict?: string][] = [
  ['all of it', (view) => `select * from ${view}`],
  ['as a table', (view) => `table ${view}`],
  ['one column', (view) => `select name from ${view}`],
  ['its number of rows', (view) => `select count(*) from ${view}`],
  ['no row', (view) => `select * from ${view} limit 0`, 'nothing|42501'],
  ['no row, by a condition', (view) => `select * from ${view} where false`, 'nothing|42501'],
  ['whether it has rows', (view) => `select exists (select from ${view})`],
  ['with a condition that is true', (view) => `select * from ${view} where true or id > 0`],
  ['by a key', (view) => `select * from ${view} where id = 1`],
  ['in a common table', (view) => `with x as materialized (select * from ${view}) select * from x`],
  [
    'in a common table that nobody reads',
    (view) => `with x as (select * from ${view}) select 1`,
    'nothing|42501',
  ],
  ['in a condition', (view) => `select 1 where 1 in (select id from ${view})`],
  ['in a scalar', (view) => `select (select max(name) from ${view})`],
  [
    'in a branch that is not taken',
    (view) => `select case when false then (select max(name) from ${view}) end`,
    'nothing|42501',
  ],
  [
    'in a branch that is taken',
    (view) => `select case when now() > '2000-01-01' then (select max(name) from ${view}) end`,
  ],
  ['in a union', (view) => `select 'x' union all select name from ${view}`],
  ['beside its own view', (view, { mine }) => `select v.name from ${mine.guests}.shop_goods m, ${view} v`],
  [
    'beside a series, row by row',
    (view) => `select x.name from generate_series(1, 3) i, lateral (select * from ${view} where id = i) x`,
  ],
  ['in windows', (view) => `select name, row_number() over (order by name) from ${view}`],
  ['sorted and grouped', (view) => `select name from ${view} group by name order by name`],
  ['by an error of a cast', (view) => `select name::integer from ${view}`],
  ['by a division', (view) => `select 1 / (length(name) - 11) from ${view}`],
  ['by its row', (view) => `select row_to_json(v) from ${view} v`],
  ['by XML', (view) => `select query_to_xml('select * from ${view}', true, false, '')`, '42501|0A000'],
  ['by words', (view) => `select * from ts_stat('select to_tsvector(name) from ${view}')`],
  ['by its plan', (view) => `explain select * from ${view}`],
  ['by its plan with figures', (view) => `explain analyze select * from ${view}`],
  ['by its plan for a value', (view) => `explain select * from ${view} where name = ${canarySql}`],
  [
    'by a cursor',
    (view) =>
      `do $b$ declare c refcursor; r record; begin open c for select * from ${view}; fetch c into r; raise exception 'leaked %', r; end $b$`,
  ],
  ['by copying it', (view) => `copy (select * from ${view}) to stdout`, '0A000|42501'],
  ['and locks it', (view) => `select * from ${view} for update`],
]

const forgeries: [name: string, setting: (ground: Ground) => string][] = [
  ['unset', () => `''`],
  ['without a signature', ({ theirs }) => `'{"site": ${theirs.id}, "signed_in": true}'`],
  ['with a signature of zeros', ({ theirs }) => `repeat('0', 64) || '{"site": ${theirs.id}}'`],
  [
    'with its own signature',
    ({ theirs }) => `left(current_setting('tessera.claims'), 64) || '{"site": ${theirs.id}}'`,
  ],
  [
    'with one number changed',
    ({ mine, theirs }) => `replace(current_setting('tessera.claims') || ' ', '${mine.id}', '${theirs.id}')`,
  ],
  ['twice', ({ theirs }) => `current_setting('tessera.claims') || '{"site": ${theirs.id}}'`],
  [
    'with a member twice',
    ({ theirs }) => `replace(current_setting('tessera.claims'), '{', '{"site": ${theirs.id}, ')`,
  ],
  ['as nothing', () => `repeat('0', 64) || 'null'`],
]

const writer = (place: { guests: string }, what: string, values: string) =>
  `select * from ${place.guests}."shop_goods$${what}"(${values})`

export const guestAttempts: Attempt[] = [
  ...shapes.map(
    ([name, text, verdict = '42501']): Attempt => [
      `reads ${name}: the view of the other site`,
      (ground) => [text(`${ground.theirs.guests}.shop_goods`, ground)],
      verdict,
    ],
  ),
  [
    'reads the view of the other site and hides the refusal',
    ({ theirs }) => [
      `do $b$ declare r record; begin select * into r from ${theirs.guests}.shop_goods; raise exception 'leaked %', r;
       exception when insufficient_privilege then null; end $b$`,
    ],
    'nothing',
  ],
  [
    'reads the view of the other site by a kept plan',
    ({ theirs }) => [
      `select set_config('plan_cache_mode', 'force_generic_plan', true)`,
      `prepare stolen as select * from ${theirs.guests}.shop_goods`,
      'execute stolen',
    ],
    '42501',
  ],
  [
    'reads the view of the other site in parallel',
    ({ theirs }) => [
      `select set_config(n, '0', true) from unnest(array['parallel_setup_cost', 'parallel_tuple_cost', 'min_parallel_table_scan_size']) n`,
      `select count(*) from ${theirs.guests}.shop_goods`,
    ],
    '42501',
  ],
  ...forgeries.map(
    ([name, setting]): Attempt => [
      `reads the view of the other site with its claims ${name}`,
      (ground) => [
        `select set_config('tessera.claims', ${setting(ground)}, true)`,
        `select * from ${ground.theirs.guests}.shop_goods`,
      ],
      '42501|22P02',
    ],
  ),
  ['reads its own view', ({ mine }) => [`select id, name from ${mine.guests}.shop_goods`], 'nothing'],
  [
    'reads a column that its rules do not show',
    ({ mine }) => [`select 1 / (hidden is null)::integer from ${mine.guests}.shop_goods`],
    'nothing',
  ],
  ['passes the gate of the other site', ({ theirs }) => [`select tessera.is_here(${theirs.id})`], '42501'],
  ['passes its second gate', ({ theirs }) => [`select tessera.is_here_now(${theirs.id})`], '42501'],
  [
    'replaces a gate',
    () => [
      `create or replace function tessera.is_here(bigint) returns boolean language sql as 'select true'`,
    ],
    '42501',
  ],
  [
    'reads a kept answer of the other site',
    ({ theirs }) => [
      `select set_config('tessera.claims', repeat('0', 64) || '{"site": ${theirs.id}}', true)`,
      `select * from tessera.find_answer('x', 'x')`,
    ],
    '42501',
  ],
  [
    'keeps an answer for a key of its own site',
    () => [`select tessera.keep_error('x', 'x', gen_random_uuid(), 'x')`],
    'nothing',
  ],
  ['reads the table of its site', ({ mine }) => [`select * from ${mine.schema}.shop_goods`], '42501'],
  [
    'reads the table of the other site',
    ({ theirs }) => [`select * from ${theirs.schema}.shop_goods`],
    '42501',
  ],
  ["reads the service's tables", () => ['select * from tenant._secrets'], '42501'],
  ["counts the service's tables", () => ['select count(*) from tenant._apps'], '42501'],
  ['reads the tables of the platform', () => ['select * from public.users'], '42501'],
  ['reads the key of the claims', () => ['select * from public.claim_keys'], '42501'],
  [
    'reads statistics',
    ({ theirs }) => [
      `select * from pg_stats where schemaname in ('tenant', '${theirs.schema}', '${theirs.guests}')`,
    ],
    'nothing',
  ],
  ['signs claims', () => [`select public.sign_claims('{}')`], '42501'],
  ['makes another key', () => ['select public.make_claim_key()'], '42501'],
  ['enters the other site', ({ theirs }) => [`select public.enter_as_service(${theirs.id}, 1000)`], '42501'],
  ['runs as the platform', () => [`select * from public.run(array['rselect 1'], '{}', null)`], '42501'],
  [
    'runs as its site',
    ({ mine }) => [`select * from runs.${mine.schema}(array['rselect 1'], '{}', null)`],
    '42501',
  ],
  [
    'runs as the other site',
    ({ theirs }) => [`select * from runs.${theirs.schema}(array['rselect 1'], '{}', null)`],
    '42501',
  ],
  [
    'takes the role of its site',
    ({ mine }) => [`select set_config('role', '${mine.schema}', true)`],
    '42501',
  ],
  [
    'takes the role of the other site',
    ({ theirs }) => [`select set_config('role', '${theirs.schema}', true)`],
    '42501',
  ],
  ['resets its role', () => ['do $$ begin reset role; end $$', 'select * from public.users'], '42501'],
  [
    'writes its own record',
    ({ mine }) => [writer(mine, 'create', `'[{"name": "guest"}]', '{id}'`)],
    'nothing',
  ],
  [
    'creates a record of the other site',
    ({ theirs }) => [writer(theirs, 'create', `'[{"name": "guest"}]', '{id}'`)],
    '42501',
  ],
  [
    'changes records of the other site',
    ({ theirs }) => [writer(theirs, 'update', `'[{"id": 1, "name": "x"}]', '{id}', '{}'`)],
    '42501|42883',
  ],
  [
    'deletes records of the other site',
    ({ theirs }) => [writer(theirs, 'delete', `'[{"id": 1}]', '{id}'`)],
    '42501|42883',
  ],
  [
    'writes to its view',
    ({ mine }) => [`update ${mine.guests}.shop_goods set name = 'x'`],
    '42501|55000|0A000',
  ],
  [
    'writes to the view of the other site',
    ({ theirs }) => [`delete from ${theirs.guests}.shop_goods`],
    '42501|55000|0A000',
  ],
  [
    'writes to the table of its site',
    ({ mine }) => [`insert into ${mine.schema}.shop_goods (name) values ('x')`],
    '42501',
  ],
  [
    "writes to the service's tables",
    ({ mine }) => [`insert into tenant._locks (site_id, name) values (${mine.id}, 'x')`],
    '42501',
  ],
  ['makes a table', ({ mine }) => [`create table ${mine.guests}.x (id integer)`], '42501'],
  ['makes a temporary table', () => ['create temporary table x (id integer)'], '42501'],
  [
    'makes a function',
    ({ mine }) => [`create function ${mine.guests}.f() returns integer language sql as 'select 1'`],
    '42501',
  ],
  [
    'makes a view',
    ({ mine, theirs }) => [`create view ${mine.guests}.v as select * from ${theirs.guests}.shop_goods`],
    '42501',
  ],
  [
    'replaces its own view',
    ({ mine }) => [`create or replace view ${mine.guests}.shop_goods as select 1 as id, 'x'::text as name`],
    '42501',
  ],
  [
    'gives its rights to everybody',
    ({ mine }) => [`grant select on ${mine.guests}.shop_goods to public`],
    'nothing|42501',
  ],
  ['joins the role of its site', ({ mine }) => [`grant ${mine.schema} to ${guestRole}`], '42501'],
  ['joins the group of sites', () => [`grant tessera_site to ${guestRole}`], '42501'],
  ['drops what guests own', () => ['drop owned by current_user'], 'P0001|42501'],
  ['drops what its site owns', ({ mine }) => [`drop owned by ${mine.schema}`], '42501'],
  [
    'changes its runner',
    ({ guestRunner }) => [`alter function ${guestRunner}(text[], text[], text) security invoker`],
    '42501|P0001',
  ],
  [
    'shares its runner',
    ({ guestRunner }) => [`grant execute on function ${guestRunner}(text[], text[], text) to public`],
    '42501|P0001',
  ],
  ['changes its role', () => [`alter role ${guestRole} bypassrls`], '42501'],
  [
    'ends other sessions',
    () => [`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'tessera'`],
    'nothing|42501',
  ],
  ['reads a file', () => [`select pg_read_file('/etc/passwd')`], '42501'],
  [
    'locks a table of its site',
    ({ mine }) => [`lock table ${mine.schema}.shop_goods in access share mode`],
    '42501',
  ],
  ['locks a table of the service', () => ['lock table tenant._apps in access share mode'], '42501'],
]
