/** Exports an app into a folder or a zip file. The commands share it. */

import type { RowFormat } from '../../src/operation/transfers/archive/package.ts'
import type { Client } from '../client.ts'
import { callerPath } from '../loader/options.ts'
import { Refusal } from '../loader/refusal.ts'
import { readApp } from './app.ts'
import { exportApp } from './export-app.ts'
import { formats } from './formats.ts'
import { openSink } from './sinks.ts'

/** Returns a format. Throws a Refusal for one that is not known. */
export function formatOf(name = 'csv'): RowFormat {
  const format = formats.find((one) => one === name)
  if (!format) throw new Refusal(`--format ${name} is not known. Formats: ${formats.join(', ')}.`)
  return format
}

/** The options of an export. */
interface ExportOptions {
  app: string
  /** A folder, or a zip file; default the slug of the app. */
  path: string | undefined
  format: RowFormat
  replace: boolean | undefined
}

/** The exported parts, and a line that describes them. */
interface Exported {
  path: string
  tables: number
  records: number
  edges: number
  line: string
}

/** Exports an app. If it fails, removes the unfinished export. */
export async function exportTo(client: Client, api: string, options: ExportOptions): Promise<Exported> {
  const app = await readApp(client, api, options.app)
  const target = options.path ?? app.service.app
  const sink = openSink(callerPath(target), options.replace ?? false)
  try {
    const { records, edges } = await exportApp(app, options.format, sink)
    const edgesText = edges > 0 ? ` and ${edges.toLocaleString('en')} edges` : ''
    const count = app.tables.length
    const line =
      `Exported ${records.toLocaleString('en')} records${edgesText} of ${count} ` +
      `${count === 1 ? 'table' : 'tables'} of the app "${app.service.app}" to ${target}.`
    return { path: target, tables: count, records, edges, line }
  } catch (error) {
    await sink.discard()
    throw error
  }
}
