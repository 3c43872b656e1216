/** Reads all records of a table, page by page with a cursor, so that memory stays constant. */
import { numberText, readJsonVerbatim } from '../../src/kernel/lib/exact-json.ts'
import { RefusedError } from '../client.ts'
import { isMembers, type Members } from '../loader/descriptor.ts'
import { Refusal } from '../loader/refusal.ts'
import { patiently, type Service, tablePath } from '../loader/service.ts'
import type { ExportedTable } from './app.ts'

/** A record as the service returns it, with every digit. */
export type AnsweredRecord = Readonly<Record<string, unknown>>

const pageSizeMax = 1000

/**
 * Reads the records in the order of their keys, including those that are marked as deleted. `fields`: the
 * fields to read.
 */
export async function* recordPages(
  service: Service,
  { name, model }: ExportedTable,
  fields: readonly string[] = [],
): AsyncGenerator<AnsweredRecord[]> {
  const query = [
    '_total=none',
    ...(model.softDelete ? ['include_deleted=true'] : []),
    ...(fields.length > 0 ? [`fields=${fields.join(',')}`] : []),
  ].join('&')
  const base = `${tablePath(service, name)}data/?${query}`
  let size = pageSizeMax
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    try {
      const { data, meta } = await readAnswer(service, `${base}&limit=${size}&after=${cursor}`)
      if (Array.isArray(data) && data.length > 0) yield data as AnsweredRecord[]
      cursor = nextOf(meta, name)
    } catch (error) {
      // If a response is too large, the records are requested again in smaller pages.
      if (!(error instanceof RefusedError && error.code === 'answer_too_large') || size === 1) throw error
      size = Math.ceil(size / 4)
    }
  }
}

async function readAnswer(service: Service, path: string): Promise<Members> {
  const answer = readJsonVerbatim(await patiently(() => service.client.read(path)))
  return isMembers(answer) ? answer : {}
}

/** Returns the cursor of the next page; undefined after the last one. */
function nextOf(meta: unknown, table: string): string | undefined {
  if (isMembers(meta) && typeof meta.next === 'string') return encodeURIComponent(meta.next)
  if (isMembers(meta) && meta.has_more === false) return undefined
  throw new Refusal(`The service did not say where ${table} goes on. Is it an older version?`)
}

/** Returns a value as the text of a key in a list. */
export function keyText(value: unknown): string {
  const text = numberText(value) ?? String(value)
  return /[",]|^$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
