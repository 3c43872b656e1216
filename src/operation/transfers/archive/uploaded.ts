/** Reads the bytes of an uploaded archive, which is stored in parts. */
import { openDatabase } from '../../../kernel/db/client.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { configOf, type Env } from '../../../kernel/env.ts'
import { selectUploadedParts } from './parts.ts'
import { noZip, type ReadBytes } from './zip.ts'

const deadlineMs = 60_000
/** The maximum number of bytes of consecutive parts that are read together. */
const togetherBytes = 1024 * 1024

/** Selects the lengths of the parts. */
const selectLengths = (id: string) => sql<{ number: number; size: number }>`
  select p.number, p.size from public.transfer_parts p
   where p.transfer_id = ${id}::uuid and p.path = '' order by p.number`

/**
 * Opens an archive. Returns its length and a function that reads its bytes. The last parts that were read are
 * cached.
 */
export async function openUploaded(env: Env, id: string): Promise<{ length: number; read: ReadBytes }> {
  const database = openDatabase(configOf(env))
  const { lengths } = await database.batch({ lengths: selectLengths(id) }, deadlineMs)
  const begins: number[] = []
  let length = 0
  for (const { size } of lengths.all) {
    begins.push(length)
    length += size
  }
  let kept: { begin: number; bytes: Uint8Array } | undefined
  /**
   * Returns the bytes of some parts, including the part with the byte at an offset, and the position where
   * they begin.
   */
  const partsAt = async (offset: number) => {
    if (kept && kept.begin <= offset && offset < kept.begin + kept.bytes.length) return kept
    const from = begins.findLastIndex((begin) => begin <= offset)
    const begin = begins[from] ?? 0
    const to = Math.max(from, begins.findLastIndex((one) => one < begin + togetherBytes) - 1)
    const { parts } = await database.batch({ parts: selectUploadedParts(id, from, to) }, deadlineMs)
    kept = { begin, bytes: new Uint8Array(Buffer.from(parts.one.data ?? '', 'base64')) }
    return kept
  }
  return {
    length,
    async read(offset, wanted) {
      if (offset < 0 || offset + wanted > length) throw noZip()
      const chunks: Uint8Array[] = []
      for (let [at, left] = [offset, wanted]; left > 0; ) {
        const { begin, bytes } = await partsAt(at)
        const chunk = bytes.subarray(at - begin, at - begin + left)
        if (chunk.length === 0) throw noZip()
        chunks.push(chunk)
        at += chunk.length
        left -= chunk.length
      }
      return chunks.length === 1 ? (chunks[0] as Uint8Array) : new Uint8Array(Buffer.concat(chunks))
    },
  }
}
