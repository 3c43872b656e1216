/** Writes an app as a data package: the descriptor, then the records and the edges of each table. */

import {
  descriptorText,
  type ExportedFile,
  edgeFields,
  fileOfEdges,
  fileOfTable,
  formatFor,
  type RowFormat,
} from '../../src/operation/transfers/archive/package.ts'
import { countEdges } from '../loader/edges.ts'
import { showProgress } from '../loader/progress.ts'
import { countRecords } from '../loader/service.ts'
import type { ExportedApp, ExportedTable } from './app.ts'
import { edgePages } from './edges.ts'
import { rowWriter } from './formats.ts'
import { textForNothing } from './nothing.ts'
import { type AnsweredRecord, recordPages } from './pages.ts'
import type { Sink } from './sinks.ts'

/** A file, with the number of its rows and the function that reads them. */
interface Part {
  label: string
  file: ExportedFile
  names: readonly string[]
  total: number
  pages(): AsyncIterable<AnsweredRecord[]>
}

/** Exports an app. Returns the numbers of written records and edges. */
export async function exportApp(app: ExportedApp, format: RowFormat, sink: Sink) {
  const files: ExportedFile[] = []
  const parts: Part[] = []
  for (const table of app.tables) {
    const isCsv = table.isMaterialized && formatFor(format, table) === 'csv'
    const file = fileOfTable(table, format, isCsv ? await textForNothing(app.service, table) : '')
    files.push(file)
    if (!table.isMaterialized) continue
    parts.push(await recordsPart(app, table, file))
    const edges = await edgesPart(app, table, format)
    if (!edges) continue
    files.push(edges.file)
    parts.push(edges)
  }
  await sink.write('datapackage.json', once(descriptorText({ ...app, slug: app.service.app }, files)))
  const counts = { records: 0, edges: 0 }
  for (const part of parts) {
    const written = await writePart(part, sink)
    counts[part.file.resource['x-edges'] === undefined ? 'records' : 'edges'] += written
  }
  await sink.finish()
  return counts
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}

async function recordsPart(
  { service }: ExportedApp,
  table: ExportedTable,
  file: ExportedFile,
): Promise<Part> {
  return {
    label: table.name,
    file,
    names: [...table.model.fields.keys()],
    total: await countRecords(service, table.name, table.model.softDelete !== undefined),
    pages: () => recordPages(service, table),
  }
}

async function edgesPart(
  { service }: ExportedApp,
  table: ExportedTable,
  format: RowFormat,
): Promise<Part | undefined> {
  if (!table.model.graph) return undefined
  const total = await countEdges(service, table.name)
  if (total === 0) return undefined
  return {
    label: `edges of ${table.name}`,
    file: fileOfEdges(table, format),
    names: edgeFields,
    total,
    pages: () => edgePages(service, table),
  }
}

/** Writes the rows of a part. The number of rows can change, because others may create or delete records. */
async function writePart({ label, file, names, total, pages }: Part, sink: Sink): Promise<number> {
  const writer = rowWriter(file.format, names, file.nothing)
  let written = 0
  const text = async function* () {
    if (writer.header !== undefined) yield writer.header
    for await (const page of pages()) {
      yield page.map((record) => writer.line(record)).join('')
      written += page.length
      if (written < total) showProgress(label, written, total)
    }
  }
  await sink.write(file.path, text())
  showProgress(label, written, written)
  return written
}
