/** What every operation of the API refuses before it reads a request: parameters that it does not declare, and what is said twice. W5, R6. */
import type { Hono, MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { RouterRoute } from 'hono/types'
import { z } from 'zod'
import { invalidFields, nameTwice } from '../errors.ts'
import { storageProblem } from '../lib/storable.ts'
import { unknownParameter } from '../lib/unknown-parameter.ts'
import type { AppEnv } from './app-env.ts'
import { repeatedNameOf } from './body.ts'
import { fieldMessages } from './openapi/bodies.ts'
import { anyQuery, described, partOf } from './openapi/describe.ts'
import { operationsOf } from './openapi/operations.ts'
import { isList } from './params.ts'
import { refuseWith } from './validate.ts'

/**
 * Adds routes to an application. Each operation gets the check of its query string and body, which no route can leave out
 * but by `anyQuery`. It stands behind what says who may pass, and before the first handler that reads the request.
 */
export function addStrictly(app: Hono<AppEnv>, routes: readonly RouterRoute[]): void {
  const checks = new Map<RouterRoute, MiddlewareHandler>()
  for (const { own, parts } of operationsOf(routes)) {
    const queries = own.flatMap(({ handler }) => partOf(handler)?.query ?? [])
    if (queries.includes(anyQuery)) continue
    const declared = Object.assign({}, ...queries.map(({ shape }) => shape)) as z.ZodRawShape
    const isOpen = queries.some(isLoose)
    const invalid = parts.flatMap((part) => part.invalid ?? []).at(-1) ?? fieldMessages
    const check = described(checkOf(declared, isOpen), { answers: { 400: invalid } })
    checks.set(own.find(readsRequest) as RouterRoute, check)
  }
  for (const route of routes) {
    const check = checks.get(route)
    if (check) app.on(route.method, route.path, check)
    app.on(route.method, route.path, route.handler)
  }
}

/** Validators, and handlers that say nothing of themselves, as the last one of each operation. */
function readsRequest({ handler }: RouterRoute): boolean {
  const part = partOf(handler)
  return !part || (part.summary === undefined && (part.query ?? part.body) !== undefined)
}

/** A loose object takes parameters of any name: what they mean, the handler finds out. */
const isLoose = (query: z.ZodObject): boolean => query.def.catchall instanceof z.ZodUnknown

const checkOf = (declared: z.ZodRawShape, isOpen: boolean) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const problems = problemsOf(new URL(c.req.url).searchParams, declared, isOpen)
    if (problems.length > 0) await refuseWith(c, invalidFields(Object.fromEntries(problems)))
    const name = await repeatedNameOf(c)
    if (name !== undefined) await refuseWith(c, nameTwice(name))
    await next()
  })

/** So many parameters are named in one answer at most. */
const problemsMax = 100

/** The messages about each parameter that is not declared, cannot be stored, or is given several times without being a list. */
function problemsOf(given: URLSearchParams, declared: z.ZodRawShape, isOpen: boolean): [parameter: string, messages: string[]][] {
  const problems = [...new Set(given.keys())].flatMap((name): [string, string[]][] => {
    const parameter = Object.hasOwn(declared, name) ? (declared[name] as z.ZodType) : undefined
    if (!parameter) return isOpen ? [] : [[name, [unknownParameter(name, Object.keys(declared))]]]
    const [unstorable] = given.getAll(name).flatMap((value) => storageProblem(value) ?? [])
    if (unstorable) return [[name, [unstorable]]]
    return isList(parameter) || given.getAll(name).length === 1 ? [] : [[name, ['May be given once.']]]
  })
  return problems.slice(0, problemsMax)
}
