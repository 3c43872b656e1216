/** What every request body has to be: JSON, and not too much of it. W1. */
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { bodyTooLarge, malformedJson, unsupportedMediaType } from '../errors.ts'
import type { AppEnv } from './app-env.ts'
import { bodyBytesMax } from './failures.ts'

export const limitedBody = bodyLimit({
  maxSize: bodyBytesMax,
  onError: () => {
    throw bodyTooLarge(bodyBytesMax)
  },
})

const json = /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i

export const jsonBody = createMiddleware<AppEnv>(async (c, next) => {
  const { body, method } = c.req.raw
  const hasBody = body !== null && method !== 'GET' && method !== 'HEAD' && c.req.header('content-length') !== '0'
  if (hasBody) {
    if (!json.test(c.req.header('content-type') ?? '')) throw unsupportedMediaType()
    const text = decoded(await c.req.arrayBuffer())
    // What reads the body from here on gets this text; Hono alone would put U+FFFD for what is no UTF-8.
    c.req.bodyCache.text = Promise.resolve(text) as never
  }
  await next()
})

function decoded(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw malformedJson()
  }
}
