/**
 * The stored files of archives. They are stored in parts that end with whole lines. The compressed parts,
 * followed by an end block, form one compressed file, as a zip file needs it.
 */
import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import { type DataRow, withData } from '../../../kernel/db/data-sql.ts'
import { enforceQuota } from '../../../kernel/db/quotas.ts'
import { large, type Sql, sql } from '../../../kernel/db/sql.ts'
import type { Config } from '../../../kernel/env.ts'
import { LinesDigest } from './lines-digest.ts'

/** The end of a compressed file: an empty last block. */
export const compressedEnd = new Uint8Array([3, 0])

/** A part to store. */
interface NewPart {
  content: string
  size: number
  crc: number
  digest: string
}

/** Compresses a part. `crcBefore`: the checksum of the file before this part; 0 at its beginning. */
export function partOf(text: string, crcBefore: number): NewPart {
  const bytes = Buffer.from(text, 'utf8')
  const compressed = deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
  const digest = new LinesDigest()
  digest.add(text)
  return {
    content: compressed.toString('base64'),
    size: bytes.length,
    crc: crc32(bytes, crcBefore),
    digest: digest.end(),
  }
}

/** Returns the text of a stored part. */
export const textOfPart = (content: string): string =>
  inflateRawSync(Buffer.concat([Buffer.from(content, 'base64'), compressedEnd])).toString('utf8')

export interface Storing {
  config: Config
  id: string
}

/**
 * Fails if the archives of the organization, or of the account, exceed the quota. Every transaction that
 * stores a part has this statement after it.
 */
export const holdArchives = ({ config, id }: Storing): Sql =>
  enforceQuota(config, 'QUOTA_ARCHIVE_BYTES', sql`select public.archive_bytes(${id}::uuid)`)

/** Adds a part to a file. */
export const insertPart = (storing: Storing, path: string, number: number, part: NewPart): Sql[] => [
  sql`
  insert into public.transfer_parts (transfer_id, path, number, content, size, crc, digest)
  values (${storing.id}::uuid, ${path}, ${number}, decode(${large(part.content)}, 'base64'), ${part.size},
          ${part.crc}, ${part.digest})`,
  holdArchives(storing),
]

/** Selects the current end of a file and its number of bytes. Returns no row if the file has no part. */
export const selectEnd = (id: string, path: string) => sql<{ number: number; crc: number; size: number }>`
  select p.number, p.crc, sum(p.size) over ()::float8 as size from public.transfer_parts p
   where p.transfer_id = ${id}::uuid and p.path = ${path} order by p.number desc limit 1`

/** A file as a whole. */
export interface StoredFile {
  path: string
  parts: number
  /** The number of bytes of its content, and the number of its compressed bytes without the end block. */
  size: number
  packed: number
  crc: number
  digests: readonly string[]
}

export const selectFiles = (id: string) => sql<StoredFile>`
  select p.path, count(*)::integer as parts, sum(p.size)::float8 as size,
         sum(length(p.content))::float8 as packed, (array_agg(p.crc order by p.number desc))[1] as crc,
         json_agg(p.digest) as digests
    from public.transfer_parts p where p.transfer_id = ${id}::uuid and p.path <> ''
   group by p.path order by p.path`

/** Selects the content of a part, in base64. */
export const selectPart = (id: string, path: string, number: number): Sql<DataRow> =>
  withData(
    sql<DataRow>`
    select encode(p.content, 'base64') as data from public.transfer_parts p
     where p.transfer_id = ${id}::uuid and p.path = ${path} and p.number = ${number}`,
    [],
  )

/** Selects the content of a range of uploaded parts, in base64. */
export const selectUploadedParts = (id: string, from: number, to: number): Sql<DataRow> =>
  withData(
    sql<DataRow>`
    select encode(string_agg(p.content, '' order by p.number), 'base64') as data from public.transfer_parts p
     where p.transfer_id = ${id}::uuid and p.path = '' and p.number between ${from} and ${to}`,
    [],
  )

/** Deletes the parts of a file. The path '' stands for the uploaded archive. */
export const deleteFile = (id: string, path: string): Sql =>
  sql`delete from public.transfer_parts p where p.transfer_id = ${id}::uuid and p.path = ${path}`
