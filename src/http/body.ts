/** Reads request bodies of limited size: text for the API, or a form for a page. W1. */
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { bodyTooLarge, malformedJson, notUtf8, unsupportedMediaType } from '../errors.ts'
import { readJson } from '../lib/exact-json.ts'
import { repeatedName } from '../lib/repeated-name.ts'
import type { AppEnv } from './app-env.ts'
import { bodyFormatOf, hasBody } from './body-formats.ts'
import { bodyBytesMax } from './failures.ts'
import { isPagePath } from './routed-path.ts'

/** Bodies up to this size are read without reserving memory. */
const smallBytes = 256 * 1024

/**
 * Reserves memory for a large body before any of it is read. Throws 503 if too many bodies are being read.
 * `limitBody` rejects a Content-Length above the maximum.
 */
export const reserveBody = createMiddleware<AppEnv>(async (c, next) => {
  const bytes = Number(c.req.header('content-length') ?? 0)
  if (bytes > smallBytes && bytes <= bodyBytesMax) await c.get('ctx').share.reserveBody(bytes)
  await next()
})

/** Throws 413 for a body above `bodyBytesMax`. */
export const limitBody = bodyLimit({
  maxSize: bodyBytesMax,
  onError: () => {
    throw bodyTooLarge(bodyBytesMax)
  },
})

const form = /^application\/x-www-form-urlencoded(?:\s*;|$)/i

/**
 * Reads the body as UTF-8 text. Throws 415 for another media type, and 400 for bytes that are not UTF-8. A
 * media type that no operation accepts is rejected later by the operation, which names the types that it
 * accepts.
 */
export const readBody = createMiddleware<AppEnv>(async (c, next) => {
  if (hasBody(c)) {
    const isPage = isPagePath(c.req.path)
    if (isPage && !form.test(c.req.header('content-type') ?? '')) throw unsupportedMediaType()
    const format = isPage ? 'form' : bodyFormatOf(c)
    if (!format) return next()
    const bytes = await c.req.arrayBuffer()
    const hasLength = c.req.header('content-length') !== undefined
    if (!hasLength && bytes.byteLength > smallBytes) await c.get('ctx').share.reserveBody(bytes.byteLength)
    const text = decodeUtf8(bytes, format === 'csv' || format === 'ndjson' ? notUtf8 : malformedJson)
    // Later readers get this text. Hono itself would replace invalid UTF-8 with U+FFFD.
    c.req.bodyCache.text = Promise.resolve(text) as never
    setJsonReader(c, readJson)
  }
  await next()
})

/** Sets how the body is parsed by later readers. Hono itself uses JSON.parse, which loses digits. */
export function setJsonReader({ req }: Context, read: (text: string) => unknown): void {
  req.json = async () => read(await req.text()) as never
}

/** Returns a name that occurs twice in one object of the JSON body; undefined if there is none. */
export async function repeatedNameOf(c: Context): Promise<string | undefined> {
  const isJson = c.req.bodyCache.arrayBuffer !== undefined && bodyFormatOf(c) === 'json'
  return isJson ? repeatedName(await c.req.bytes()) : undefined
}

/** Returns the fields of a form. If a name occurs twice, the last value counts. */
export const formOf = async (c: Context): Promise<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(await c.req.text()))

function decodeUtf8(bytes: ArrayBuffer, fault: () => Error): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw fault()
  }
}
