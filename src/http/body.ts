/** What every request body has to be: JSON, or of a page a form; and not too much of it. W1. */
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { bodyTooLarge, malformedJson, unsupportedMediaType } from '../errors.ts'
import { readJson } from '../lib/exact-json.ts'
import { repeatedName } from '../lib/repeated-name.ts'
import type { AppEnv } from './app-env.ts'
import { bodyBytesMax } from './failures.ts'
import { isPagePath } from './path.ts'

/** Smaller bodies are of no account. */
const smallBytes = 256 * 1024

/** Before anything of a large body is read, there is room for it. What it says of its length is looked at by `limitedBody`. */
export const roomForBody = createMiddleware<AppEnv>(async (c, next) => {
  const bytes = Number(c.req.header('content-length') ?? 0)
  if (bytes > smallBytes && bytes <= bodyBytesMax) await c.var.ctx.share.takeIn(bytes)
  await next()
})

export const limitedBody = bodyLimit({
  maxSize: bodyBytesMax,
  onError: () => {
    throw bodyTooLarge(bodyBytesMax)
  },
})

const json = /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i
const form = /^application\/x-www-form-urlencoded(?:\s*;|$)/i

export const readableBody = createMiddleware<AppEnv>(async (c, next) => {
  const { body, method } = c.req.raw
  const hasBody = body !== null && method !== 'GET' && method !== 'HEAD' && c.req.header('content-length') !== '0'
  if (hasBody) {
    const type = c.req.header('content-type') ?? ''
    if (!(isPagePath(c.req.path) ? form : json).test(type)) throw unsupportedMediaType()
    const bytes = await c.req.arrayBuffer()
    const isAnnounced = c.req.header('content-length') !== undefined
    if (!isAnnounced && bytes.byteLength > smallBytes) await c.var.ctx.share.takeIn(bytes.byteLength)
    const text = decoded(bytes)
    // What reads the body from here on gets this text; Hono alone would put U+FFFD for what is no UTF-8.
    c.req.bodyCache.text = Promise.resolve(text) as never
    readJsonBy(c, readJson)
  }
  await next()
})

/** What reads the body as JSON from here on reads it in this way. Hono's own, JSON.parse, loses digits. */
export function readJsonBy({ req }: Context, read: (text: string) => unknown): void {
  req.json = async () => read(await req.text()) as never
}

/** A name that stands twice in one object of the JSON body; undefined where there is none, or no body. */
export const repeatedNameOf = async ({ req }: Context): Promise<string | undefined> =>
  req.bodyCache.arrayBuffer ? repeatedName(await req.bytes()) : undefined

/** The fields of a form, each of its names once. Of a name that is there twice, the last counts. */
export const formOf = async (c: Context): Promise<Record<string, string>> => Object.fromEntries(new URLSearchParams(await c.req.text()))

function decoded(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw malformedJson()
  }
}
