/**
 * Encrypts a site's texts anew when it got a new data key (`npm run keys:rotate`), while they go on being read and
 * written: the cron trigger queues the site until nothing needs an older key. What was interrupted goes on where it stopped.
 */
import { openDatabase } from '../../db/client.ts'
import type { Sql } from '../../db/sql.ts'
import { asService } from '../../db/tenant.ts'
import { configOf, type Env } from '../../env.ts'
import { describeFailure, log } from '../../lib/log.ts'
import { unwrap } from '../encryption/data-keys.ts'
import { decrypt, encrypt, type Place } from '../encryption/service.ts'
import * as store from './store.ts'

export interface EncryptAnew {
  kind: 'encrypt-anew'
  siteId: number
}

/** A text that is encrypted with an older key than the newest. */
export interface OldText {
  id: string
  place: Place
  stored: string
}

/** Where encrypted texts of one kind are kept. `Row` is what is selected of a text. */
export interface Keeper<Row = unknown> {
  /** Selects texts with a key before this version, in the order of their ids. */
  select(version: number, afterId: string | null, limit: number): Sql<Row>
  textOf(row: Row): OldText
  /** Replaces the text, if it still is that one. */
  replace(text: OldText, stored: string): Sql
}

const deadlineMs = 60_000
const sitesAtOnce = 100
const textsAtOnce = 100
/** So many batches a message does, before it is queued again. */
const batchesMax = 20

export async function queueSitesWithOldKeys(env: Env): Promise<void> {
  const { sites } = await openDatabase(configOf(env)).batch({ sites: store.selectSitesWithOldKeys(sitesAtOnce) }, deadlineMs)
  const messages = sites.all.map(({ id }): { body: EncryptAnew } => ({ body: { kind: 'encrypt-anew', siteId: id } }))
  if (messages.length > 0) await env.JOBS.sendBatch(messages)
}

/** Drops the older keys when all texts have the newest. One that does not decrypt stays, and keeps its key. */
export const encryptAnew =
  (keepers: readonly Keeper[]) =>
  async (env: Env, job: EncryptAnew): Promise<void> => {
    const { siteId } = job
    const config = configOf(env)
    const database = openDatabase(config)
    const { dataKeys } = await database.batch({ dataKeys: store.selectDataKeys(siteId) }, deadlineMs)
    const keys = dataKeys.all
    const newest = keys.at(-1)
    if (!newest || keys.length === 1) return
    // Without the master keys nothing can be done, and it is no fault of the texts.
    await Promise.all(keys.map((key) => unwrap(config, siteId, key)))
    let batches = 0
    let unreadable = 0

    async function readOld<Row>(keeper: Keeper<Row>, version: number, after: string | null): Promise<OldText[]> {
      const { old } = await asService(database, siteId, { old: keeper.select(version, after, textsAtOnce) })
      return old.all.map((row) => keeper.textOf(row))
    }

    /** The same text under the newest key, or nothing. */
    async function anew(text: OldText): Promise<string | undefined> {
      try {
        return await encrypt(config, { siteId, keys }, text.place, await decrypt(config, { siteId, keys }, text.place, text.stored))
      } catch (error) {
        unreadable++
        log({ level: 'error', job: job.kind, site: siteId, ...describeFailure(error, false) })
        return undefined
      }
    }

    for (const keeper of keepers) {
      for (let after: string | null = null; ; ) {
        if (batches++ === batchesMax) return void (await env.JOBS.send(job))
        const texts: OldText[] = await readOld(keeper, newest.version, after)
        const encrypted = await Promise.all(texts.map(async (text) => ({ text, stored: await anew(text) })))
        const replaced = encrypted.flatMap(({ text, stored }) => (stored === undefined ? [] : [keeper.replace(text, stored)]))
        if (replaced.length > 0) await asService(database, siteId, { replaced })
        if (texts.length < textsAtOnce) break
        after = texts.at(-1)?.id ?? null
      }
    }
    if (unreadable === 0) await database.batch({ deleted: store.deleteDataKeysBefore(siteId, newest.version) }, deadlineMs)
  }
