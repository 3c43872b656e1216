/**
 * Cursors: positions in a list, encrypted for the client. A cursor is valid only for the same caller and the
 * same question, and only in its site and table.
 */
import * as z from 'zod'
import { seal, unseal } from '../../kernel/access/derived-keys.ts'
import type { RequestContext } from '../../kernel/context.ts'
import { principalOf } from '../../kernel/db/caller.ts'
import type { Binding } from '../../kernel/lib/cipher.ts'
import { cursorTooLong } from '../failures/errors.ts'
import type { Position } from '../query/plan/keyset.ts'

/** The content of a cursor. */
const content = z.object({
  site: z.number(),
  table: z.number(),
  types: z.array(z.string()),
  values: z.array(z.string().nullable()),
})

/** A position, with its site and table. */
export interface OpenCursor extends Position {
  site: number
  table: number
}

/** The most characters of a cursor: it has to fit into a URL. */
const lengthMax = 4_000

const bindingOf = (ctx: RequestContext, question: string): Binding => ['cursor', principalOf(ctx), question]

/**
 * Creates a cursor for the caller. `question` decides which records the list has, and their order. Rejects
 * with 422 if the values of the position are too long.
 */
export async function sealCursor(ctx: RequestContext, question: string, cursor: OpenCursor): Promise<string> {
  const text = JSON.stringify(cursor)
  // In base64url, a byte takes 4/3 characters.
  if (text.length > (lengthMax * 3) / 4) throw cursorTooLong()
  const cursorText = await seal(ctx.config, 'cursors', bindingOf(ctx, question), text)
  if (cursorText.length > lengthMax) throw cursorTooLong()
  return cursorText
}

/** Decrypts a cursor of the caller and the question. Returns undefined for any other text. */
export async function openCursor(
  ctx: RequestContext,
  question: string,
  cursor: string,
): Promise<OpenCursor | undefined> {
  if (cursor.length > lengthMax) return undefined
  const text = await unseal(ctx.config, 'cursors', bindingOf(ctx, question), cursor)
  return text === undefined ? undefined : content.parse(JSON.parse(text))
}
