/** Reads the edges of a table, for a few records at a time. */
import { readJsonVerbatim } from '../../src/kernel/lib/exact-json.ts'
import { isMembers } from '../loader/descriptor.ts'
import { patiently, type Service, tablePath } from '../loader/service.ts'
import type { ExportedTable } from './app.ts'
import { type AnsweredRecord, keyText, recordPages } from './pages.ts'

/** The number of records whose edges one request reads. */
const recordsPerRequest = 100
const edgesPerPage = 1000

/** Reads the edges in the order of the records from which they lead. */
export async function* edgePages(service: Service, table: ExportedTable): AsyncGenerator<AnsweredRecord[]> {
  const key = table.model.primaryKey[0]?.name ?? 'id'
  for await (const records of recordPages(service, table, [key]))
    for (let start = 0; start < records.length; start += recordsPerRequest) {
      const ids = records.slice(start, start + recordsPerRequest).map((record) => keyText(record[key]))
      yield* edgesFrom(service, table, ids)
    }
}

async function* edgesFrom(
  service: Service,
  table: ExportedTable,
  ids: readonly string[],
): AsyncGenerator<AnsweredRecord[]> {
  const from = encodeURIComponent(ids.join(','))
  for (let page = 1; ; page++) {
    const query = `from_id=${from}&page=${page}&page_size=${edgesPerPage}`
    const path = `${tablePath(service, table.name)}edges/?${query}`
    const answer = readJsonVerbatim(await patiently(() => service.client.read(path)))
    const edges =
      isMembers(answer) && Array.isArray(answer.results) ? (answer.results as AnsweredRecord[]) : []
    if (edges.length > 0) yield edges
    if (edges.length < edgesPerPage) return
  }
}
