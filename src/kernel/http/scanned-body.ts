/**
 * Reads the body of an operation after its credentials are known, and scans JSON before it is parsed. W1, R6.
 */
import type { Context, MiddlewareHandler } from 'hono'
import type { RequestContext } from '../context.ts'
import { isAnonymous } from '../db/enter-tenant.ts'
import { hasEntered } from '../db/known-entries.ts'
import { requireAccess } from '../db/tenant.ts'
import { readJson } from '../lib/exact-json.ts'
import { JsonScanner, type JsonShape } from '../lib/json-scan.ts'
import type { AppEnv } from './app-env.ts'
import { setJsonReader, setText, smallBytes } from './body.ts'
import { bodyTooLarge, jsonRefused, malformedJson, notUtf8 } from './body-errors.ts'
import { bodyFormatOf, hasBody } from './body-formats.ts'
import { bodyBytesMax } from './failures.ts'
import { rejectRequest } from './validate.ts'

/** The most bytes of a record that a guest sends. */
const guestBytesMax = 1024 * 1024
/** The most bytes of a body without credentials outside a site, such as a sign-in. */
export const signInBytesMax = 16 * 1024

/**
 * Returns the handler that reads a body of this shape, which follows those of credentials and rights. It
 * throws 413 for a body that is longer than the caller may send; 400 for bytes that are not UTF-8; and 400 or
 * 413 for JSON that must not be parsed. A larger body is scanned only if the caller may enter the site.
 */
export const scannedBody =
  (shape: JsonShape, bytesMax = bodyBytesMax): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const format = hasBody(c) ? bodyFormatOf(c) : undefined
    if (format) {
      const { ctx } = c.var
      const bytes = await readBytes(c, Math.min(bytesMax, callerBytesMax(ctx)))
      if (bytes.length > smallBytes) await requireRights(ctx)
      if (format === 'json') await scan(c, bytes, shape)
      setText(c, bytes, format === 'json' ? malformedJson : notUtf8)
    }
    await next()
  }

function callerBytesMax(ctx: RequestContext): number {
  if (!isAnonymous(ctx) || ctx.directoryKeyHash !== null) return bodyBytesMax
  return ctx.permission === undefined ? signInBytesMax : guestBytesMax
}

async function readBytes(c: Context<AppEnv>, bytesMax: number): Promise<Uint8Array> {
  const length = c.req.header('content-length')
  if (Number(length ?? 0) > bytesMax) throw bodyTooLarge(bytesMax)
  const bytes = new Uint8Array(await c.req.arrayBuffer())
  if (bytes.length > bytesMax) throw bodyTooLarge(bytesMax)
  if (length === undefined && bytes.length > smallBytes) await c.var.ctx.share.reserveBody(bytes.length)
  return bytes
}

/**
 * Asks Postgres whether the caller may enter the site, unless this isolate has seen it. Throws 401, 403,
 * 404.
 */
async function requireRights(ctx: RequestContext): Promise<void> {
  if (ctx.permission !== undefined && !hasEntered(ctx)) await requireAccess(ctx)
}

async function scan(c: Context<AppEnv>, bytes: Uint8Array, shape: JsonShape): Promise<void> {
  const found = new JsonScanner(shape).scan(bytes)
  if (found.fault) await rejectRequest(c, jsonRefused(found.fault))
  c.set('scan', found)
  setJsonReader(c, (text) => readJson(text, Number.POSITIVE_INFINITY, found))
}
