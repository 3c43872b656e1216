/** Sets the security headers of every response, and lets pages of configured origins call the API. W4. */
import type { Context } from 'hono'
import { cors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'
import { codeHeader } from '../errors.ts'
import { isListedOrigin } from '../lib/variable-forms.ts'
import type { AppEnv } from './app-env.ts'

/** Sets the headers that browsers enforce, except for the Content-Security-Policy. */
export const securityHeaders = secureHeaders({
  xFrameOptions: 'DENY',
  referrerPolicy: 'no-referrer',
  strictTransportSecurity: 'max-age=31536000; includeSubDomains',
  // Pages of the listed origins read answers of the API.
  crossOriginResourcePolicy: 'cross-origin',
})

/** The sources that our pages may load from, by directive. */
const strictPolicy = {
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
}

/** Returns the text of the strict Content-Security-Policy, with `more` directives added or replaced. */
export const policyWith = (more: Record<string, string>): string =>
  Object.entries({ ...strictPolicy, ...more })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')

const strict = policyWith({})

/** Sets the strict Content-Security-Policy, unless the route has set its own. */
export const contentPolicy = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  setIfAbsent(c, 'Content-Security-Policy', strict)
})

/** Forbids caching of the answer, unless the route has set Cache-Control. */
export const noStore = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  setIfAbsent(c, 'Cache-Control', 'no-store')
})

/** Sets a header of a finished answer. `c.header` would create a new Response for each header. */
export function setIfAbsent({ res }: Context, name: string, value: string): void {
  if (!res.headers.has(name)) res.headers.set(name, value)
}

/** Allows the origins of CORS_ORIGINS, without cookies: they authenticate with tokens. */
export const crossOrigin = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.header('origin') !== undefined || c.req.method === 'OPTIONS') return allowOrigins(c, next)
  await next()
  c.res.headers.append('Vary', 'Origin')
})

const allowOrigins = cors({
  origin: (origin, c) =>
    isListedOrigin((c.var as AppEnv['Variables']).ctx.config.CORS_ORIGINS, origin) ? origin : null,
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: [
    'Authorization',
    'Cache-Control',
    'Content-Type',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'X-Request-Id',
    'X-View-As',
  ],
  exposeHeaders: [
    'Age',
    'Content-Disposition',
    'ETag',
    'Idempotency-Replayed',
    'RateLimit',
    'RateLimit-Policy',
    'Retry-After',
    codeHeader,
    'X-Request-Id',
    'X-Schema-Hash',
    'X-Tessera-Version',
    'X-Total-Count',
  ],
  maxAge: 600,
})
