/** Statements whose rows say where to ask: those of tables that are not in Postgres. */
import { Sql, sql } from '../../../kernel/db/sql.ts'
import { awaitNote } from '../../../runtime/events/records/service.ts'
import type { Table } from '../../model/table.ts'
import type { Ask } from './wire.ts'

/** How to find the object that holds the client of a datasource. */
export interface ConnectionRow {
  /** The id of the datasource; null: it is not made yet. */
  datasource: number | null
  /** The slug of its app. */
  app: string
  /** The key of its secret, the name of its database, and a location hint. */
  secret: string | null
  database: string | null
  location: string | null
  /** Changes with the datasource and with its secret. */
  generation: string
}

const columns = sql`
  d.id as datasource, a.slug as app, d.provider_config ->> 'secret' as secret,
  d.provider_config ->> 'database' as database, d.provider_config ->> 'location' as location,
  md5(concat_ws(' ', d.created_at, d.updated_at, s.id, s.version)) as generation`

/** The secret of a datasource `d`: that of its app, or else of the site. */
const withSecret = sql`
  join _apps a on a.id = d.app_id
  left join lateral (select s.id, s.version from _secrets s
                      where s.key = d.provider_config ->> 'secret'
                        and (s.app_id is null or s.app_id = d.app_id)
                      order by s.app_id is null limit 1) s on true`

/** Selects how to reach the datasource of a table. */
const connectionOfTable = ({ id }: Pick<Table, 'id'>) => sql<ConnectionRow>`
  select ${columns} from _datatables t join _datasources d on d.id = t.data_source_id ${withSecret}
   where t.id = ${id}`

/** Selects how to reach a datasource. */
export const connectionOf = (appId: number, slug: string) => sql<ConnectionRow>`
  select ${columns} from _datasources d ${withSecret} where d.app_id = ${appId} and d.slug = ${slug}`

/** Selects how to reach a datasource with this id. */
export const connectionOfDatasource = (id: number) => sql<ConnectionRow>`
  select ${columns} from _datasources d ${withSecret} where d.id = ${id}`

/**
 * A statement in the place of one that reads or writes records. It selects a ConnectionRow, and announces
 * the note of the write; the row that it promises is the answer to its question.
 */
export class Elsewhere<Row> extends Sql<Row> {
  readonly question: Ask

  constructor(table: Pick<Table, 'id'>, question: Ask) {
    const note = 'write' in question ? question.write.note : undefined
    const reach = connectionOfTable(table)
    const { strings, values } = note
      ? sql`with _reach as (${reach}), _awaited as (${awaitNote(note.id, sql`select * from _reach`)})
            select * from _reach`
      : reach
    super(strings, values)
    this.question = question
  }
}
