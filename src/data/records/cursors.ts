/**
 * Cursors: positions in a list, encrypted for the client that holds them. A cursor only opens for the same
 * caller and the same question, and only counts in its site and table.
 */
import { z } from 'zod'
import { derivedKeys } from '../../access/derived-keys.ts'
import type { RequestContext } from '../../context.ts'
import { type Binding, decryptBytes, encryptBytes, importKey, utf8 } from '../../lib/cipher.ts'
import { LruCache } from '../../lib/lru-cache.ts'
import { cursorTooLong } from '../failures/errors.ts'
import type { Position } from '../query/plan/keyset.ts'

/** What a cursor says. */
const content = z.object({
  site: z.number(),
  table: z.number(),
  types: z.array(z.string()),
  values: z.array(z.string().nullable()),
})

/** A position, with the site and the table that it is of. */
export interface OpenCursor extends Position {
  site: number
  table: number
}

/** The most characters of a cursor: it has to fit into a URL. */
const lengthMax = 4_000

const imported = new LruCache<string, Promise<CryptoKey>>(20)

/** Returns the keys of cursors, that of new ones first. */
function keysOf({ config }: RequestContext): Promise<CryptoKey>[] {
  return derivedKeys(config, 'cursors').map((bytes) => {
    const name = Buffer.from(bytes).toString('base64url')
    const key = imported.get(name) ?? importKey(bytes)
    imported.set(name, key)
    return key
  })
}

const bindingOf = ({ caller, apiKeyHash }: RequestContext, question: string): Binding => [
  'cursor',
  apiKeyHash ?? caller?.userId ?? '',
  question,
]

/**
 * Makes a cursor for the caller. `question` decides which records the list has, and their order. Rejects with
 * 422 for a position with too long values.
 */
export async function sealCursor(ctx: RequestContext, question: string, cursor: OpenCursor): Promise<string> {
  const text = JSON.stringify(cursor)
  // In base64url a byte takes 4/3 of a character.
  if (text.length > (lengthMax * 3) / 4) throw cursorTooLong()
  const [key] = keysOf(ctx)
  if (!key) throw new Error('SIGNING_KEYS has no private key')
  const cursorText = await encryptBytes(await key, bindingOf(ctx, question), utf8(text))
  if (cursorText.length > lengthMax) throw cursorTooLong()
  return cursorText
}

/** Opens a cursor of the caller and the question. Returns undefined for any other text. */
export async function openCursor(
  ctx: RequestContext,
  question: string,
  cursor: string,
): Promise<OpenCursor | undefined> {
  if (cursor.length > lengthMax) return undefined
  for (const key of keysOf(ctx)) {
    const bytes = await decryptBytes(await key, bindingOf(ctx, question), cursor).catch(() => undefined)
    if (bytes) return content.parse(JSON.parse(new TextDecoder().decode(bytes)))
  }
  return undefined
}
