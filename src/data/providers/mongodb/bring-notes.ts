/**
 * Brings the notes that writes have left in MongoDB to the outbox: each once, and those of a record in the
 * order of its writes. A write announces its note when it enters, with who has caused it; the transaction
 * that puts the note into the outbox takes the announcement away. So a note that is read again brings
 * nothing, nor does one that nobody has announced. E5.
 */
import * as z from 'zod'
import { openDatabase } from '../../../kernel/db/client.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { asService } from '../../../kernel/db/tenant.ts'
import { configOf, type Env } from '../../../kernel/env.ts'
import { log } from '../../../kernel/lib/log.ts'
import { parseJson } from '../../../kernel/lib/parse-json.ts'
import { endUnwritten, insertNoted, type NotedEvent } from '../../../runtime/events/records/service.ts'
import { selectSiteKeys } from '../../../runtime/functions/service.ts'
import { queueOutboxRows } from '../../../runtime/outbox/service.ts'
import { readForService } from '../../../secrets/entries/service.ts'
import { tryToAsk } from './ask.ts'
import { connectionOfDatasource } from './elsewhere.ts'
import type { BringNotes } from './sweep-notes.ts'

/** How many bytes of notes one transaction brings, and how many of them one message. */
const bytesMax = 8 * 2 ** 20
const roundsMax = 20

/**
 * Brings the notes of a datasource. Queues itself again if there are more. If the server does not answer,
 * the notes wait there for the next call.
 */
export async function bringNotes(env: Env, job: BringNotes): Promise<void> {
  const config = configOf(env)
  const database = openDatabase(config)
  const { siteId, datasource } = job
  for (let round = 0; round < roundsMax; round++) {
    const { reach, keys, began } = await asService(
      database,
      siteId,
      { reach: connectionOfDatasource(datasource), began: sql<{ at: string }>`select now()::text as at` },
      { keys: selectSiteKeys(sql`${siteId}`) },
    )
    const to = reach.first
    if (!to) return
    const asker = {
      env,
      config,
      siteId,
      readSecret: (key: string) =>
        readForService(config, { siteId, keys: keys.all }, { key, app: to.app, datasource }),
    }
    const found = await tryToAsk(asker, to, { ask: 'notes', bytesMax })
    if ('failed' in found) {
      await asService(database, siteId, { ended: endUnwritten(datasource, to.generation, null) })
      return log({ level: 'error', notes: 'not read', datasource, failed: found.failed })
    }
    const { notes, isAll, isSettled = false } = found
    const { made } = await asService(database, siteId, {
      // Of two calls, the second one sees what the first has brought.
      locked: sql`select d.id from _datasources d where d.id = ${datasource} for no key update`,
      made: insertNoted(datasource, notes.filter(isEvent)),
      ended: isAll ? endUnwritten(datasource, to.generation, isSettled ? began.one.at : null) : undefined,
    })
    await queueOutboxRows(
      env,
      made.all.map(({ id }) => ({ kind: 'process-outbox-row', siteId, rowId: id })),
    )
    if (notes.length > 0) await tryToAsk(asker, to, { ask: 'forget', ids: notes.map(({ id }) => id) })
    if (isAll) return
  }
  await env.JOBS.send(job)
}

const texts = z.string().refine((text) => !text.includes('\0'))
const arrayText = texts.refine((text) => {
  const parsed = parseJson(text)
  return 'value' in parsed && Array.isArray(parsed.value)
})

/** Whoever writes to the database can write notes. What is no event would keep out all others. */
const noted = z.object({
  id: z.uuid(),
  table: z.int(),
  key: z.array(texts),
  event: texts,
  records: arrayText,
  previous: arrayText.nullable(),
})
const isEvent = (note: NotedEvent): boolean => noted.safeParse(note).success
