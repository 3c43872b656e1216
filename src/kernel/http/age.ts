/**
 * Reads how old an answer may be, and writes how old it is: the directive `max-age` of Cache-Control and the
 * header Age, as RFC 9111 defines them for caches. Here the replica of the database takes the place of a
 * cache.
 */
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './app-env.ts'
import type { Guard } from './openapi/describe.ts'

const header = 'Cache-Control'

/** Reads how old the answer of an operation may be. */
export const readAge: Guard = {
  handler: createMiddleware<AppEnv>(async (c, next) => {
    const ctx = c.get('ctx')
    ctx.ageMax = ageMaxOf(c.req.header(header))
    await next()
    if (ctx.age !== undefined) c.res.headers.set('Age', String(ctx.age))
  }),
  headers: [header],
}

/**
 * Returns the seconds of `max-age`. Returns 0, which is always correct, if there is none, if the value is not
 * a number of seconds, or if another directive forbids old answers: RFC 9111, 4.2.1 and 5.2.
 */
export function ageMaxOf(value: string | undefined): number {
  if (value === undefined) return 0
  const directives = value.split(',').map((directive) => directive.trim().toLowerCase())
  if (directives.includes('no-cache') || directives.includes('no-store')) return 0
  const ages = directives.filter((directive) => directive.startsWith('max-age='))
  const [, seconds] = /^max-age="?(\d{1,9})"?$/.exec(ages[0] ?? '') ?? []
  return ages.length === 1 && seconds !== undefined ? Number(seconds) : 0
}
