/**
 * Encrypts the texts of a site again if it has a new data key (`npm run keys:rotate`), while requests read
 * and write them. The cron trigger queues the site until no text needs an older key, so an interrupted run
 * continues where it stopped.
 */
import { openDatabase } from '../../kernel/db/client.ts'
import type { Database } from '../../kernel/db/database.ts'
import type { Sql } from '../../kernel/db/sql.ts'
import { asService } from '../../kernel/db/tenant.ts'
import { type Config, configOf, type Env } from '../../kernel/env.ts'
import { describeFailure, log } from '../../kernel/lib/log.ts'
import { lacksSiteKey, newDataKey, siteKeyIdOf, unwrap, type WrappedKey } from '../encryption/data-keys.ts'
import { decrypt, encrypt, type SiteKeys, type TextPlace } from '../encryption/service.ts'
import { destroySiteKey, usesSiteKeys } from '../encryption/site-keys.ts'
import * as store from './store.ts'

/** The queue message that requests the rotation for a site. */
export interface ReencryptSite {
  kind: 'reencrypt-site'
  siteId: number
}

/** An encrypted text in a row. */
interface StoredText {
  /** The id of the row. */
  id: string
  place: TextPlace
  stored: string
}

/** A column with encrypted texts. `Row` is the selected data of a text. */
export interface EncryptedColumn<Row = unknown> {
  /** Selects texts with a data key older than this version, in the order of the ids of their rows. */
  select(version: number, afterId: string | null, limit: number): Sql<Row>
  /** Returns the text of a row. */
  textOf(row: Row): StoredText
  /** Replaces a text, if it has not changed. */
  replace(text: StoredText, stored: string): Sql
}

const deadlineMs = 60_000
const sitesAtOnce = 100
const textsAtOnce = 100
/** The maximum number of batches of texts that one message processes before it queues itself again. */
const batchesMax = 20

/** Queues the sites that still have an older data key, or none that is encrypted with a key of the site. */
export async function queueSitesWithOldKeys(env: Env): Promise<void> {
  const config = configOf(env)
  const { sites } = await openDatabase(config).batch(
    { sites: store.selectSitesWithOldKeys(sitesAtOnce, usesSiteKeys(config)) },
    deadlineMs,
  )
  const messages = sites.all.map(({ id }): { body: ReencryptSite } => ({
    body: { kind: 'reencrypt-site', siteId: id },
  }))
  if (messages.length > 0) await env.JOBS.sendBatch(messages)
}

interface Work {
  config: Config
  database: Database
  keys: SiteKeys
  /** The version of the newest data key. */
  newest: number
}

/** The progress of a message. */
interface Progress {
  batches: number
  /** The number of texts that could not be decrypted. */
  unreadable: number
}

/**
 * Creates the handler of ReencryptSite for these columns. When all texts have the newest data key, it deletes
 * the older keys. A text that cannot be decrypted is logged and stays, and so do the keys.
 */
export const reencryptSite =
  (columns: readonly EncryptedColumn[]) =>
  async (env: Env, message: ReencryptSite): Promise<void> => {
    const { siteId } = message
    const config = configOf(env)
    const database = openDatabase(config)
    const keys = await currentKeys(config, database, siteId)
    const newest = keys.at(-1)?.version
    if (newest === undefined || keys.length === 1) return
    // If a master key is missing, the message fails here. Later, this would look like unreadable texts.
    await Promise.all(keys.map((key) => unwrap(config, siteId, key)))
    const work: Work = { config, database, keys: { siteId, keys }, newest }
    const progress: Progress = { batches: 0, unreadable: 0 }
    for (const column of columns) await reencryptColumn(work, progress, column)
    if (progress.batches > batchesMax) await env.JOBS.send(message)
    else if (progress.unreadable === 0) {
      await database.batch({ deleted: store.deleteDataKeysBefore(siteId, newest) }, deadlineMs)
      const ids = keys.slice(0, -1).map(siteKeyIdOf)
      for (const id of ids) if (id !== null) await destroySiteKey(config, id)
    }
  }

/**
 * Returns the data keys of a site, the newest last. `npm run keys:rotate` creates keys that are not encrypted
 * with a key of the site. If the newest one is such a key, adds one that is encrypted.
 */
async function currentKeys(
  config: Config,
  database: Database,
  siteId: number,
): Promise<readonly WrappedKey[]> {
  const statements = { keys: store.selectDataKeys(siteId), proofs: store.selectProofs }
  const { keys, proofs } = await database.batch(statements, deadlineMs)
  const newest = keys.all.at(-1)
  if (!newest || !lacksSiteKey(config, newest)) return keys.all
  const byKid = Object.fromEntries(proofs.all.map(({ kid, proof }) => [kid, proof]))
  const next = await newDataKey(config, siteId, newest.version + 1, byKid)
  const { added } = await database.batch({ added: store.addDataKey(siteId, next) }, deadlineMs)
  if (!added.one.is_added) throw new Error('the site has just got another data key')
  return [...keys.all, next]
}

/**
 * Encrypts the texts of a column again, batch by batch, until all are done or the message has handled its
 * batches.
 */
async function reencryptColumn<Row>(
  work: Work,
  progress: Progress,
  column: EncryptedColumn<Row>,
): Promise<void> {
  let afterId: string | null = null
  let isLast = false
  while (!isLast) {
    progress.batches++
    if (progress.batches > batchesMax) return
    const texts: StoredText[] = await reencryptBatch(work, progress, column, afterId)
    afterId = texts.at(-1)?.id ?? null
    isLast = texts.length < textsAtOnce
  }
}

/** Encrypts the next texts of a column again. Returns the texts in their old form. */
async function reencryptBatch<Row>(
  work: Work,
  progress: Progress,
  column: EncryptedColumn<Row>,
  afterId: string | null,
): Promise<StoredText[]> {
  const { database, keys, newest } = work
  const old = await asService(database, keys.siteId, { rows: column.select(newest, afterId, textsAtOnce) })
  const texts = old.rows.all.map((row) => column.textOf(row))
  const replaced: Sql[] = []
  await Promise.all(
    texts.map(async (text) => {
      const stored = await reencrypt(work, text)
      if (stored === undefined) progress.unreadable++
      else replaced.push(column.replace(text, stored))
    }),
  )
  if (replaced.length > 0) await asService(database, keys.siteId, { replaced })
  return texts
}

/**
 * Returns the text encrypted with the newest data key. If it cannot be decrypted, logs this and returns
 * undefined.
 */
async function reencrypt({ config, keys }: Work, { place, stored }: StoredText): Promise<string | undefined> {
  try {
    return await encrypt(config, keys, place, await decrypt(config, keys, place, stored))
  } catch (error) {
    log({ level: 'error', job: 'reencrypt-site', site: keys.siteId, ...describeFailure(error, false) })
    return undefined
  }
}
