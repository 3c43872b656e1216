/** Waits for a change of a large table that goes on as a job, and shows its progress. */
import type { Client } from '../../../client/src/index.ts'
import { Problem } from '../problem.ts'

/** The answer to a change. */
export interface ChangeAnswer {
  /** The operation that goes on. Omitted: the change was made at once. */
  operation?: { id: number }
}

interface Operation {
  id: number
  status: 'running' | 'success' | 'failed' | 'cancelled'
  progress?: { rows_done: number; rows_total: number }
}

const pauseMs = 1_000
const barLength = 20

/** Waits for the end of a change of the table at `path`. Throws if the change was not made. */
export async function untilChanged(
  client: Client,
  path: string,
  { operation }: ChangeAnswer,
  note: (text: string) => void,
): Promise<void> {
  for (let shown = ''; operation; ) {
    const { data } = await client.request<{ data: Operation[] }>({
      path: `${path}operation-history/`,
      query: { page_size: 100 },
    })
    const present = data.find(({ id }) => id === operation.id)
    if (present?.status !== 'running') {
      if (present?.status === 'success') return
      const end = present?.status === 'cancelled' ? 'was cancelled' : 'has failed'
      throw new Problem(`The change of the table ${end}. The table is as it was.`)
    }
    const bar = barOf(present.progress)
    if (bar !== shown) note(bar)
    shown = bar
    await new Promise((done) => setTimeout(done, pauseMs))
  }
}

/** Returns a bar with the share of the records that the present step is through with. */
export function barOf(
  { rows_done: done, rows_total: total }: Operation['progress'] = { rows_done: 0, rows_total: 0 },
) {
  const share = total === 0 ? 0 : Math.min(1, done / total)
  const full = Math.floor(share * barLength)
  return `[${'#'.repeat(full)}${'.'.repeat(barLength - full)}] ${Math.floor(share * 100)} %`
}
