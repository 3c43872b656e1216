/** Limits the size of request bodies, and reads those of pages. W1. */
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './app-env.ts'
import { bodyTooLarge, malformedJson, tooManyFields, unsupportedMediaType } from './body-errors.ts'
import { hasBody } from './body-formats.ts'
import { bodyBytesMax } from './failures.ts'

/**
 * Bodies up to this size are read without reserving memory, and without asking for the rights of the
 * caller.
 */
export const smallBytes = 256 * 1024

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

/** The most bytes of a form, unless its page declares more. */
const formBytesMax = 16 * 1024

/** The most fields of a form. */
const fieldsMax = 100

/**
 * Returns the handler that reads the form of a page. It throws 415 for another media type, 413 for more bytes
 * or fields, and 400 for bytes that are not UTF-8.
 */
export const readForm = (bytesMax = formBytesMax) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (hasBody(c)) {
      if (!form.test(c.req.header('content-type') ?? '')) throw unsupportedMediaType()
      if (Number(c.req.header('content-length') ?? 0) > bytesMax) throw bodyTooLarge(bytesMax)
      const bytes = new Uint8Array(await c.req.arrayBuffer())
      if (bytes.length > bytesMax) throw bodyTooLarge(bytesMax)
      let fields = 1
      for (let at = bytes.indexOf(ampersand); at !== -1; at = bytes.indexOf(ampersand, at + 1))
        if (++fields > fieldsMax) throw tooManyFields(fieldsMax)
      setText(c, bytes, malformedJson)
    }
    await next()
  })

const ampersand = 0x26

/**
 * Sets the text of the body for later readers. Hono itself would replace invalid UTF-8 with U+FFFD. Throws
 * `fault` for bytes that are not UTF-8.
 */
export function setText(c: Context, bytes: Uint8Array, fault: () => Error): void {
  c.req.bodyCache.text = Promise.resolve(decodeUtf8(bytes, fault)) as never
}

/** Sets how the body is parsed by later readers. Hono itself uses JSON.parse, which loses digits. */
export function setJsonReader({ req }: Context, read: (text: string) => unknown): void {
  req.json = async () => read(await req.text()) as never
}

/** Returns the fields of a form. If a name occurs twice, the last value counts. */
export const formOf = async (c: Context): Promise<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(await c.req.text()))

function decodeUtf8(bytes: Uint8Array, fault: () => Error): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw fault()
  }
}
