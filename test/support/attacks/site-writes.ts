/** Hostile statements of a site that try to change what belongs to another site, or to all of them. */
import type { Attempt } from './attempt.ts'
import { canarySql, guestRole } from './ground.ts'

export const siteWrites: Attempt[] = [
  // Rows.
  [
    'inserts a row of the other site',
    ({ theirs }) => [
      `insert into tenant._apps (site_id, name, slug, created_by) values (${theirs.id}, 'x', 'x', 1)`,
    ],
    '42501',
  ],
  [
    'inserts many of them',
    ({ theirs }) => [
      `insert into tenant._locks (site_id, name) select ${theirs.id}, 'x' || i from generate_series(1, 9) i`,
    ],
    '42501',
  ],
  [
    'inserts over a row of the other site',
    ({ theirs }) => [
      `insert into tenant._locks (site_id, name) values (${theirs.id}, ${canarySql}) on conflict (site_id, name) do update set name = 'x' returning name`,
    ],
    '42501',
  ],
  [
    'asks whether a row of the other site exists',
    ({ theirs }) => [
      `insert into tenant._locks (site_id, name) values (${theirs.id}, ${canarySql}) on conflict do nothing returning name`,
    ],
    '42501',
  ],
  [
    'asks for a taken name in a row of its own',
    () => [`insert into tenant._locks (name) values (${canarySql})`],
    'nothing',
  ],
  [
    'merges into a row of the other site',
    ({ theirs }) => [
      `merge into tenant._apps a using (select ${theirs.id} as s, ${theirs.app} as i) x on a.site_id = x.s and a.id = x.i
       when matched then update set name = 'x'`,
    ],
    'nothing',
  ],
  [
    'merges a row into the other site',
    ({ theirs }) => [
      `merge into tenant._locks l using (select ${theirs.id} as s) x on l.site_id = x.s and l.name = 'y'
       when not matched then insert (site_id, name) values (x.s, 'y')`,
    ],
    '42501',
  ],
  [
    'changes the rows of the other site',
    ({ theirs }) => [`update tenant._apps set description = 'x' where site_id = ${theirs.id}`],
    'nothing',
  ],
  ['changes all rows', () => [`update tenant._apps set description = description || 'x'`], 'nothing'],
  [
    'changes a row by its id',
    ({ theirs }) => [`update tenant._secrets set version = version + 1 where id = '${theirs.secret}'`],
    'nothing',
  ],
  [
    'changes rows that it joins',
    ({ theirs }) => [
      `update tenant._apps a set description = 'x' from tenant._secrets s where s.site_id = ${theirs.id}`,
    ],
    'nothing',
  ],
  [
    'moves a row to the other site',
    ({ theirs }) => [`update tenant._questions set site_id = ${theirs.id}`],
    '42501',
  ],
  [
    'moves a row from the other site',
    ({ mine, theirs }) => [`update tenant._questions set site_id = ${mine.id} where site_id = ${theirs.id}`],
    '42501',
  ],
  [
    'deletes the rows of the other site',
    ({ theirs }) => [`delete from tenant._kept_answers where site_id = ${theirs.id}`],
    '42501',
  ],
  ['deletes all rows', () => ['delete from tenant._claims'], '42501'],
  [
    'deletes in a part of a statement',
    ({ mine }) => [
      `with gone as (delete from tenant._kept_answers where site_id <> ${mine.id} returning *) select * from gone`,
    ],
    '42501',
  ],
  [
    'references an app of the other site',
    ({ theirs }) => [`update tenant._functions set app_id = ${theirs.app}`],
    '23503',
  ],
  [
    'references an app that does not exist',
    () => ['update tenant._functions set app_id = 999999999999'],
    '23503',
  ],
  [
    'subscribes a function of the other site',
    ({ theirs }) => [
      `insert into tenant._subscribers (event, function_id) values ('POST_CREATE_ANY', ${theirs.job})`,
    ],
    '23503',
  ],
  [
    'asks for a taken id in a row of its own',
    ({ theirs }) => [
      `insert into tenant._apps (id, name, slug, created_by) overriding system value values (${theirs.app}, 'same id', 'same-id', 1)`,
    ],
    'nothing',
  ],
  ['changes a log', () => [`update tenant._erasures set record = 'x'`], '42501'],
  ['sends its e-mails again', () => [`update tenant._mails set state = 'waiting'`], '42501'],
  ['deletes from a log', () => ['delete from tenant._secret_history'], '42501'],
  [
    'adds a change that the service goes on with',
    ({ mine }) => [
      `insert into tenant._schema_jobs (table_name, request, created_by, generation, is_sealed)
       values ('"${mine.schema}"."shop_goods"', '{}', 1, 1, true)`,
    ],
    '42501',
  ],
  [
    'adds a change of a table of the other site',
    ({ theirs }) => [
      `insert into tenant._schema_jobs (table_name, request, created_by, generation)
       values ('"${theirs.schema}"."shop_goods"', '{}', 1, 1)`,
    ],
    '23514',
  ],
  [
    'adds a change of what has no name of a table',
    () => [
      `insert into tenant._schema_jobs (table_name, request, created_by, generation)
       values ('"', '{}', 1, 1)`,
    ],
    '23514',
  ],
  ['seals a change', () => ['update tenant._schema_jobs set is_sealed = true'], '42501'],
  ['names who began a change', () => ['update tenant._schema_jobs set created_by = 2'], '42501'],
  ['says what a change does', () => [`update tenant._schema_jobs set request = '{}'`], '42501'],
  ['empties a table', () => ['truncate tenant._secrets'], '42501'],
  ['empties all tables', () => ['truncate tenant._apps cascade'], '42501'],
  ['copies from a file', () => [`copy tenant._apps from '/etc/passwd'`], '42501|0A000'],
  ['copies from a program', () => [`copy tenant._locks from program 'true'`], '42501|0A000'],
  [
    'writes by a view of its own',
    ({ mine, theirs }) => [
      `create view ${mine.schema}.door as select * from tenant._locks`,
      `insert into ${mine.schema}.door (site_id, name) values (${theirs.id}, 'z')`,
    ],
    '42501',
  ],
  [
    'writes by a rule of its own',
    ({ mine, theirs }) => [
      `create table ${mine.schema}.lure (id integer)`,
      `create rule r as on insert to ${mine.schema}.lure do instead insert into tenant._locks (site_id, name) values (${theirs.id}, 'z')`,
      `insert into ${mine.schema}.lure values (1)`,
    ],
    '42501',
  ],
  [
    'writes by a trigger at the commit',
    ({ mine, theirs }) => [
      `create table ${mine.schema}.trap (id integer)`,
      `create function ${mine.schema}.late() returns trigger language plpgsql as $f$ begin
       insert into tenant._locks (site_id, name) values (${theirs.id}, 'late'); return null; end $f$`,
      `create constraint trigger late after insert on ${mine.schema}.trap deferrable initially deferred for each row execute function ${mine.schema}.late()`,
      `insert into ${mine.schema}.trap values (1)`,
    ],
    '42501',
  ],
  // The walls.
  ['switches the wall off', () => ['alter table tenant._apps disable row level security'], '42501'],
  ['drops the policy', () => ['drop policy own on tenant._apps'], '42501'],
  ['adds a policy', () => ['create policy mine on tenant._apps using (true)'], '42501'],
  ['changes the policy', () => ['alter policy own on tenant._apps using (true)'], '42501'],
  [
    'has a trigger on a table of all',
    ({ mine }) => [
      `create trigger t before insert on tenant._apps for each row execute function ${mine.schema}.late()`,
    ],
    '42501',
  ],
  ['switches triggers off', () => ['alter table tenant._apps disable trigger all'], '42501'],
  [
    'has a rule on a table of all',
    () => ['create rule r as on insert to tenant._apps do instead nothing'],
    '42501',
  ],
  ['has an index on a table of all', () => ['create index on tenant._apps (name)'], '42501'],
  ['changes a column', () => ['alter table tenant._apps alter column site_id drop not null'], '42501'],
  [
    'changes a default',
    ({ theirs }) => [`alter table tenant._apps alter column site_id set default ${theirs.id}`],
    '42501',
  ],
  ['takes a table', ({ mine }) => [`alter table tenant._apps owner to ${mine.schema}`], '42501'],
  ['moves a table', ({ mine }) => [`alter table tenant._apps set schema ${mine.schema}`], '42501'],
  ['renames a table', () => ['alter table tenant._apps rename to _gone'], '42501'],
  ['drops a table', () => ['drop table tenant._apps cascade'], '42501'],
  ['drops the schema', () => ['drop schema tenant cascade'], '42501'],
  ['makes a table beside them', () => ['create table tenant._mine (id integer)'], '42501'],
  [
    'makes a function beside them',
    () => [`create function tenant.lower(text) returns text language sql as 'select $1'`],
    '42501',
  ],
  ['makes a temporary table of their name', () => ['create temporary table _secrets (id integer)'], '42501'],
  [
    'attaches a table as a partition',
    ({ mine }) => [`alter table tenant._apps attach partition ${mine.schema}.alike for values in (1)`],
    '42501|42809',
  ],
  ['makes a table their heir', () => ['alter table tenant._apps no inherit tenant._secrets'], '42501'],
  [
    'has an event trigger',
    ({ mine }) => [
      `create function ${mine.schema}.ev() returns event_trigger language plpgsql as $f$ begin end $f$`,
      `create event trigger x on ddl_command_start execute function ${mine.schema}.ev()`,
    ],
    '42501',
  ],
  // Rights and roles.
  ['gives its rights to everybody', () => ['grant select on tenant._secrets to public'], 'nothing|42501'],
  [
    'gives its rights to the other site',
    ({ theirs }) => [`grant all on tenant._secrets to ${theirs.schema}`],
    'nothing|42501',
  ],
  [
    'takes the rights of the group',
    () => ['revoke select on tenant._secrets from tessera_site'],
    'nothing|42501',
  ],
  [
    'changes default rights',
    () => ['alter default privileges in schema tenant grant all on tables to public'],
    'nothing|42501',
  ],
  [
    'changes rights to the schema',
    ({ mine }) => [`grant create on schema tenant to ${mine.schema}`],
    'nothing|42501',
  ],
  [
    'makes the other site a member of the group',
    ({ theirs }) => [`grant tessera_site to ${theirs.schema} with admin option`],
    '42501',
  ],
  [
    'joins the role of the other site',
    ({ mine, theirs }) => [`grant ${theirs.schema} to ${mine.schema}`],
    '42501',
  ],
  ['joins the role of the platform', ({ mine }) => [`grant tessera to ${mine.schema}`], '42501'],
  ['changes the group', () => ['alter role tessera_site bypassrls'], '42501'],
  ['changes its own role', ({ mine }) => [`alter role ${mine.schema} bypassrls`], '42501'],
  ['renames its own role', ({ mine }) => [`alter role ${mine.schema} rename to site_9`], '42501'],
  ['drops the group', () => ['drop role tessera_site'], '42501'],
  ['drops what it owns', () => ['drop owned by current_user'], 'P0001|42501'],
  ['drops what the group owns', () => ['drop owned by tessera_site'], 'nothing|42501'],
  ['drops what the guests own', () => [`drop owned by ${guestRole}`], '42501'],
  [
    'gives away what it owns',
    ({ mine, theirs }) => [`reassign owned by ${mine.schema} to ${theirs.schema}`],
    '42501',
  ],
  [
    'takes what the other site owns',
    ({ mine, theirs }) => [`reassign owned by ${theirs.schema} to ${mine.schema}`],
    '42501',
  ],
  [
    'changes its runner',
    ({ mine }) => [`alter function runs.${mine.schema}(text[], text[], text) security invoker`],
    '42501|P0001',
  ],
  [
    'has a runner of its own',
    ({ mine }) => [
      `create function runs.f() returns integer language sql as 'select 1'`,
      `select '${mine.schema}'`,
    ],
    '42501',
  ],
  ['advances a sequence', () => [`select nextval('tenant._apps_id_seq')`], '42501'],
  ['sets a sequence', () => [`select setval('tenant._apps_id_seq', 1)`], '42501'],
  ['restarts a sequence', () => ['alter sequence tenant._apps_id_seq restart with 1'], '42501'],
  ['erases the other site', ({ theirs }) => [`select public.erase_site(${theirs.id}, 1000)`], '42501'],
  ['writes to the audit', () => [`delete from public.audit_entries`], '42501'],
  ['describes a table of all', () => [`comment on table tenant._apps is 'x'`], '42501'],
  ['collects statistics of it', () => ['analyze tenant._apps'], 'nothing'],
  ['rebuilds its indexes', () => ['reindex table tenant._apps'], '42501|25001'],
]
