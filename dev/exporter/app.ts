/** Reads the parts of an app: its datasources, its tables with their schemas, and its references. */
import type { Table as Model } from '../../src/data/model/table.ts'
import type { Client } from '../client.ts'
import { Refusal } from '../loader/refusal.ts'
import { compile } from '../loader/table.ts'
import { readStoredApp, type StoredApp, type StoredTable } from './stored-app.ts'

export interface ExportedTable extends StoredTable {
  model: Model
}

export interface ExportedApp extends StoredApp {
  tables: readonly ExportedTable[]
}

/** Reads an app. Throws a Refusal if there is none of this name. */
export async function readApp(client: Client, api: string, name: string): Promise<ExportedApp> {
  const app = await readStoredApp(client, api, name)
  return { ...app, tables: app.tables.map((table) => ({ ...table, model: modelOf(table) })) }
}

function modelOf({ name, schema }: StoredTable): Model {
  const model = compile(name, schema)
  if ('problems' in model) throw new Refusal(model.problems.join('\n'))
  return model
}
