/** What browsers are told with every response, and which other origins' pages may call the API. W4. */
import { cors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'
import { listsOrigin } from '../env.ts'
import type { AppEnv } from './app-env.ts'

export const browserHeaders = secureHeaders({
  xFrameOptions: 'DENY',
  referrerPolicy: 'no-referrer',
  strictTransportSecurity: 'max-age=31536000; includeSubDomains',
  // Pages of the listed origins read answers of the API.
  crossOriginResourcePolicy: 'cross-origin',
})

/** What a page of ours may load, and from where: of every directive, its sources. */
const strictPolicy = {
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
}

/** The header's text: the strict policy, and what a page needs beyond it. */
export const policyWith = (more: Record<string, string>): string =>
  Object.entries({ ...strictPolicy, ...more })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')

const strict = policyWith({})

/** Pages take styles and pictures from here alone; nothing may frame them, and nothing runs in them, unless a route says otherwise. */
export const contentPolicy = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  if (!c.res.headers.has('content-security-policy')) c.header('Content-Security-Policy', strict)
})

/** Answers of the API are for who asked: nothing on the way keeps them, unless a route says otherwise. */
export const uncached = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  if (!c.res.headers.has('cache-control')) c.header('Cache-Control', 'no-store')
})

/** Only the origins of CORS_ORIGINS. They send tokens, never cookies: a cookie of ours is for our own pages. */
export const crossOrigin = cors({
  origin: (origin, c) => (listsOrigin((c.var as AppEnv['Variables']).ctx.config.CORS_ORIGINS, origin) ? origin : null),
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: ['Authorization', 'Content-Type', 'If-Match', 'If-None-Match', 'X-Request-Id'],
  exposeHeaders: ['ETag', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id', 'X-Total-Count'],
  maxAge: 600,
})
