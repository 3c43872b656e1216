/** What browsers are told with every response, and which other origins' pages may call the API. W4. */
import { cors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'
import type { AppEnv } from './app-env.ts'

/** Pages of ours take styles and pictures from here alone; nothing may frame them, and nothing runs in them. */
export const browserHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  xFrameOptions: 'DENY',
  referrerPolicy: 'no-referrer',
  strictTransportSecurity: 'max-age=31536000; includeSubDomains',
  // Pages of the listed origins read answers of the API.
  crossOriginResourcePolicy: 'cross-origin',
})

/** Answers of the API are for who asked: nothing on the way keeps them, unless a route says otherwise. */
export const uncached = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  if (!c.res.headers.has('cache-control')) c.header('Cache-Control', 'no-store')
})

/** Only the origins of CORS_ORIGINS. They send tokens, never cookies: a cookie of ours is for our own pages. */
export const crossOrigin = cors({
  origin: (origin, c) => ((c.var as AppEnv['Variables']).ctx.config.CORS_ORIGINS.has(origin) ? origin : null),
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: ['Authorization', 'Content-Type', 'If-Match', 'If-None-Match', 'X-Request-Id'],
  exposeHeaders: ['ETag', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id', 'X-Total-Count'],
  maxAge: 600,
})
