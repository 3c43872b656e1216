/** The SQL of importing references. */
import { sql } from '../../../kernel/db/sql.ts'
import type { Config } from '../../../kernel/env.ts'
import type { ReferenceInput } from './schema.ts'

/** The source table of an input, and whether the reference was created. */
export interface FoundSource {
  has_app: boolean
  has_table: boolean
  is_reference: boolean
  is_materialized: boolean
  has_physical_table: boolean
  /** Whether a reference of this name was created, for this input or an earlier one with the same name. */
  is_made: boolean
}

/** Returns the CTE `found`: the source of each input. */
const foundSources = (inputs: readonly ReferenceInput[]) => sql`
  found as (
    select i.n, i.name, s.id, o.id is not null as has_app, s.id is not null as has_table,
           s.source_id is not null as is_reference, coalesce(s.is_materialized, false) as is_materialized,
           to_regclass(tessera.own_schema() || '.' || quote_ident(s.physical_table_name)) is not null
             as has_physical_table
      from unnest(${inputs.map((input) => input.sourceApp)}::text[],
                  ${inputs.map((input) => input.sourceTable)}::text[],
                  ${inputs.map((input) => input.name)}::text[]) with ordinality i (app, source_table, name, n)
      left join _apps o on o.slug = i.app and o.is_active
      left join (_datatables s left join _datasources d on d.id = s.data_source_id)
             on s.app_id = o.id and s.name = i.source_table and d.is_active is not false
  )`

/** Selects the source of each input, in their order, without creating any reference. */
export const selectSources = (inputs: readonly ReferenceInput[]) => sql<FoundSource>`
  with ${foundSources(inputs)}
  select has_app, has_table, is_reference, is_materialized, has_physical_table, false as is_made
    from found order by n`

/**
 * Inserts the references whose source is valid and whose name is free, up to the quota of the app. In schema
 * mode no other request can insert any. Returns one row for each input, in their order.
 */
export const insertReferences = (
  config: Config,
  userId: number,
  appId: number,
  inputs: readonly ReferenceInput[],
) => sql<FoundSource>`
  with ${foundSources(inputs)}, made as (
    insert into _datatables (app_id, source_id, name, created_by)
    select ${appId}, id, name, ${userId}
      from (select distinct on (name) id, name, n from found
             where is_materialized and has_physical_table
               and not exists (select from _datatables t where t.app_id = ${appId} and t.name = found.name)
             order by name, n) free
     order by n
     limit greatest(
             0, ${config.QUOTA_TABLES} - (select count(*) from _datatables t where t.app_id = ${appId}))
    returning name
  )
  select has_app, has_table, is_reference, is_materialized, has_physical_table,
         name in (select name from made) as is_made
    from found order by n`
