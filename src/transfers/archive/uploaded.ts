/** Reads the bytes of an archive as it was uploaded, in parts. */
import { openDatabase } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { configOf, type Env } from '../../env.ts'
import { selectPart } from './parts.ts'
import { noZip, type ReadBytes } from './zip.ts'

const deadlineMs = 60_000

/** Selects how long the parts are. */
const selectLengths = (id: string) => sql<{ number: number; size: number }>`
  select p.number, p.size from public.transfer_parts p
   where p.transfer_id = ${id}::uuid and p.path = '' order by p.number`

/** Opens an archive. Returns its length, and what reads its bytes; the last part that was read is kept. */
export async function openUploaded(env: Env, id: string): Promise<{ length: number; read: ReadBytes }> {
  const database = openDatabase(configOf(env))
  const { lengths } = await database.batch({ lengths: selectLengths(id) }, deadlineMs)
  const begins: number[] = []
  let length = 0
  for (const { size } of lengths.all) {
    begins.push(length)
    length += size
  }
  let kept: { number: number; bytes: Uint8Array } | undefined
  const partAt = async (number: number): Promise<Uint8Array> => {
    if (kept?.number === number) return kept.bytes
    const { part } = await database.batch({ part: selectPart(id, '', number) }, deadlineMs)
    kept = { number, bytes: new Uint8Array(Buffer.from(part.one.data ?? '', 'base64')) }
    return kept.bytes
  }
  return {
    length,
    async read(offset, wanted) {
      if (offset < 0 || offset + wanted > length) throw noZip()
      const chunks: Uint8Array[] = []
      let number = begins.findLastIndex((begin) => begin <= offset)
      for (let [at, left] = [offset, wanted]; left > 0; number++) {
        const bytes = await partAt(number)
        const from = at - (begins[number] ?? 0)
        const chunk = bytes.subarray(from, Math.min(bytes.length, from + left))
        chunks.push(chunk)
        at += chunk.length
        left -= chunk.length
      }
      return chunks.length === 1 ? (chunks[0] as Uint8Array) : new Uint8Array(Buffer.concat(chunks))
    },
  }
}
