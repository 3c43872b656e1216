/** Loads the edges of a table from a resource that `npm run export` wrote. */
import { messagesOf, RefusedError } from '../client.ts'
import { rowsPerBatch } from './batches.ts'
import { describeFault } from './faults.ts'
import type { Files } from './files.ts'
import { recordsOf } from './load-table.ts'
import type { JsonRecord } from './records.ts'
import { Refusal } from './refusal.ts'
import { patiently, type Service, tablePath } from './service.ts'
import type { Table } from './table.ts'

/** The edges of a table. */
export interface Edges {
  /** The table whose records they connect. */
  of: string
  /** The resource with the edges, read as if it were a table. */
  table: Table
}

export const countEdges = async (service: Service, table: string): Promise<number> =>
  (
    await patiently(() =>
      service.client.request<{ total: number }>('GET', `${tablePath(service, table)}edges/?page_size=1`),
    )
  ).total

/** Loads the edges after the first `skipped` ones. Returns the number of edges in the file. */
export async function loadEdges(
  service: Service,
  files: Files,
  { of, table }: Edges,
  skipped: number,
  onProgress: (done: number) => void,
): Promise<number> {
  let edges: JsonRecord[] = []
  let read = 0
  const send = async () => {
    if (edges.length === 0) return
    try {
      await patiently(() => service.client.request('POST', `${tablePath(service, of)}edges/`, edges))
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      const said = messagesOf(error.body).map(({ field, text }) => `  ${field ? `${field}: ` : ''}${text}`)
      const path = table.resource.sources[0]?.path ?? table.resource.name
      throw new Refusal(
        `${path}, edges ${read - edges.length + 1} to ${read}: the service refused them ` +
          `(${error.status}):\n${said.join('\n')}`,
      )
    }
    edges = []
    onProgress(read)
  }
  for await (const { record, faults } of recordsOf(files, table)) {
    if (faults.length > 0) throw new Refusal(faults.map(describeFault).join('\n'))
    if (++read <= skipped) continue
    edges.push(record)
    if (edges.length >= rowsPerBatch) await send()
  }
  await send()
  return read
}
