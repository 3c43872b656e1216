/** Hostile statements of a site that try to read the rows of another site by detours. */
import type { Attempt } from './attempt.ts'

const block = (text: string) => `do $b$ declare r record; c refcursor; begin ${text} end $b$`
const shout = `raise exception 'leaked %', r;`

/** Reads with a search path in which the attacker's own names come first. */
const inOwnNames = (schema: string) => `select set_config('search_path', '${schema}, pg_catalog', true)`

export const siteDetours: Attempt[] = [
  [
    'by a cursor',
    ({ theirs }) => [
      block(
        `open c for select * from tenant._apps where site_id = ${theirs.id}; fetch c into r; if found then ${shout} end if;`,
      ),
    ],
    'nothing',
  ],
  [
    'by a loop',
    ({ mine }) => [
      block(`for r in select * from tenant._apps where site_id <> ${mine.id} loop ${shout} end loop;`),
    ],
    'nothing',
  ],
  [
    'by a text that is run',
    ({ theirs }) => [
      block(
        `execute 'select * from tenant._apps where site_id = ${theirs.id}' into r; if r.id is not null then ${shout} end if;`,
      ),
    ],
    'nothing',
  ],
  [
    'by a view',
    ({ mine }) => [
      `create view ${mine.schema}.v as select * from tenant._apps`,
      `select * from ${mine.schema}.v`,
    ],
    'nothing',
  ],
  [
    'by a view with the rights of its reader',
    ({ mine }) => [
      `create view ${mine.schema}.vi with (security_invoker) as select * from tenant._secrets`,
      `select * from ${mine.schema}.vi`,
    ],
    'nothing',
  ],
  [
    'by a stored view',
    ({ mine }) => [
      `create materialized view ${mine.schema}.mv as select * from tenant._apps`,
      `select * from ${mine.schema}.mv`,
    ],
    'nothing',
  ],
  [
    'by a copied table',
    ({ mine }) => [
      `create table ${mine.schema}.copied as select * from tenant._apps`,
      `select * from ${mine.schema}.copied`,
    ],
    'nothing',
  ],
  [
    'by a table like it',
    ({ mine }) => [
      `create table ${mine.schema}.alike (like tenant._apps including all)`,
      `select * from ${mine.schema}.alike`,
    ],
    'nothing',
  ],
  [
    'by a function with the rights of its owner',
    ({ mine }) => [
      `create function ${mine.schema}.definer() returns setof tenant._apps language sql security definer as 'select * from tenant._apps'`,
      `select * from ${mine.schema}.definer()`,
    ],
    'nothing',
  ],
  [
    'by XML of a query',
    () => [`select query_to_xml('select * from tenant._apps', true, false, '')`],
    'nothing|0A000',
  ],
  ['by XML of a schema', () => [`select schema_to_xml('tenant', true, false, '')`], 'nothing|0A000|42501'],
  [
    'by words of a query',
    () => [`select * from ts_stat('select to_tsvector(description) from tenant._apps')`],
    'nothing',
  ],
  ['by copying to the client', () => ['copy tenant._apps to stdout'], '0A000'],
  ['by copying to a file', () => [`copy tenant._apps to '/tmp/stolen'`], '42501'],
  ['by copying to a program', () => [`copy (select * from tenant._apps) to program 'cat'`], '42501'],
  ['in its file', () => [`select pg_read_binary_file(pg_relation_filepath('tenant._apps'))`], '42501'],
  ['in its pages', ({ mine }) => [`create extension pageinspect schema ${mine.schema}`], '42501|0A000|58P01'],
  [
    'by a shadow of an operator',
    ({ mine, theirs }) => [
      `create function ${mine.schema}.yes(bigint, bigint) returns boolean language sql immutable as 'select true'`,
      `create operator ${mine.schema}.= (leftarg = bigint, rightarg = bigint, function = ${mine.schema}.yes)`,
      inOwnNames(mine.schema),
      `select * from tenant._apps where site_id = ${theirs.id}::bigint`,
    ],
    'nothing',
  ],
  [
    // Its own runner calls substr, with its own rights.
    'by a shadow of a function',
    ({ mine, theirs }) => [
      `create function ${mine.schema}.substr(text, integer) returns text language sql immutable as $f$ select '${theirs.id}' $f$`,
      inOwnNames(mine.schema),
      'select * from tenant._secrets',
    ],
    '42601',
  ],
  [
    'by a shadow of the function of the policies',
    ({ mine, theirs }) => [
      `create function ${mine.schema}.own_site() returns bigint language sql immutable as 'select ${theirs.id}::bigint'`,
      inOwnNames(mine.schema),
      'select * from tenant._secrets',
    ],
    'nothing',
  ],
  [
    'by a shadow of a type',
    ({ mine }) => [
      `create domain ${mine.schema}.bigint as text`,
      inOwnNames(mine.schema),
      'select * from tenant._apps',
    ],
    'nothing',
  ],
  [
    'by a replaced function of all sites',
    () => [`create or replace function tessera.own_site() returns bigint language sql as 'select 1::bigint'`],
    '42501',
  ],
  ['by dropping the function of the policies', () => ['drop function tessera.own_site() cascade'], '42501'],
  [
    'by a key of its own to it',
    ({ mine }) => [
      `create table ${mine.schema}.probe (s bigint, a bigint, foreign key (s, a) references tenant._apps)`,
    ],
    '42501',
  ],
  ['as an heir', ({ mine }) => [`create table ${mine.schema}.heir () inherits (tenant._apps)`], '42501'],
  ['in a publication', ({ mine }) => [`create publication ${mine.schema}_p for table tenant._apps`], '42501'],
  ['in the tables of the platform', () => ['select * from public.sites'], '42501'],
  ['in the keys of the platform', () => ['select * from public.data_keys'], '42501'],
  [
    'by the runner of the other site',
    ({ theirs }) => [`select * from runs.${theirs.schema}(array['rselect 1'], '{}', null)`],
    '42501',
  ],
  [
    'by the runner of its own',
    ({ mine }) => [`select * from runs.${mine.schema}(array['rselect 1'], '{}', null)`],
    '42501',
  ],
  [
    'by entering the other site',
    ({ theirs }) => [`select public.enter_as_service(${theirs.id}, 1000)`],
    '42501',
  ],
  [
    'by the runner of the platform',
    () => [`select * from public.run(array['rselect 1'], '{}', null)`],
    '42501',
  ],
  ['by the last number of a sequence', () => ['select last_value from tenant._apps_id_seq'], '42501'],
  [
    'by the function for the last number',
    () => [
      block(
        `if pg_sequence_last_value('tenant._apps_id_seq') is not null then raise exception 'leaked'; end if;`,
      ),
    ],
    'nothing|42501',
  ],
  ['in the tables of the other site', ({ theirs }) => [`select * from ${theirs.schema}.shop_goods`], '42501'],
  [
    "in the views of the other site's guests",
    ({ theirs }) => [`select * from ${theirs.guests}.shop_goods`],
    '42501',
  ],
]
