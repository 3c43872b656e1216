/**
 * Validates bodies and query strings by the zod schemas that also document them. Spec: Errors, field
 * validation.
 */
import { zValidator } from '@hono/zod-validator'
import type { Context, MiddlewareHandler } from 'hono'
import * as z from 'zod'
import { requireAccess } from '../db/tenant.ts'
import { type AppError, invalidFields } from '../errors.ts'
import { readJsonVerbatim } from '../lib/exact-json.ts'
import { storageProblem, storageProblemAsDoubles } from '../lib/storable.ts'
import { problemsMax } from '../lib/zod-messages.ts'
import type { AppEnv } from './app-env.ts'
import { setJsonReader } from './body.ts'
import { missingBody } from './body-errors.ts'
import { detail, fieldMessages } from './openapi/bodies.ts'
import type { Answers, Guard } from './openapi/describe.ts'

/** A body that is parsed as JSON and validated. */
export interface JsonBody<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema
  readonly guard: Guard
  readonly isOptional: boolean
}

/** A body that a schema documents. The handler gets it as text. */
export interface TextBody {
  readonly textOf: z.ZodType
  /** Documents the body as lines of CSV or JSON. Undefined: it can only be JSON. */
  readonly lines: z.ZodType | undefined
}

/** A query string that a schema documents. The handler gets it as URLSearchParams. */
export interface RawQuery {
  readonly parametersOf: z.ZodObject
  /** Whether the handler also rejects unknown and repeated parameters. */
  readonly isLate?: true
}

/** Documents a body whose text the handler reads itself. With `lines`, it may also be CSV or JSON lines. */
export const textBody = (schema: z.ZodType, lines?: z.ZodType): TextBody => ({ textOf: schema, lines })

/** Documents a query string whose parameters the handler reads itself. */
export const rawQuery = (schema: z.ZodObject): RawQuery => ({ parametersOf: schema })

/**
 * Documents a query string that the handler checks with `checkQuery` or `readQuery`. The handler rejects
 * guests without any rule first, so that they learn nothing about their request.
 */
export const lateQuery = (schema: z.ZodObject): RawQuery => ({ parametersOf: schema, isLate: true })

/** Reads the body as JSON. Rejects members that Postgres cannot store. */
export const json = <Schema extends z.ZodType>(schema: Schema): JsonBody<Schema> =>
  formOf(schema, zValidator('json', storable(storageProblemAsDoubles).pipe(schema), rejectInvalid))

/**
 * Reads the body as JSON with numbers as the client wrote them: as a RawNumber if a double cannot hold them.
 */
export function exactJson<Schema extends z.ZodType>(schema: Schema): JsonBody<Schema> {
  const validate = zValidator('json', storable(storageProblem).pipe(schema), rejectInvalid) as BodyValidator
  return formOf(schema, (c, next) => {
    setJsonReader(c, readJsonVerbatim)
    return validate(c, next)
  })
}

/** Reads a JSON body that may be omitted. A request without a body is read as `{}`. */
export function optionalJson<Schema extends z.ZodType>(schema: Schema): JsonBody<Schema> {
  const validate = zValidator(
    'json',
    storable(storageProblemAsDoubles).pipe(schema),
    rejectInvalid,
  ) as BodyValidator
  const handler: BodyValidator = async (c, next) => {
    // Some clients declare JSON for every request and then send an empty body.
    if ((await c.req.text()) === '') c.req.bodyCache.text = Promise.resolve('{}') as never
    return validate(c, next)
  }
  return { schema, guard: guardOf(handler), isOptional: true }
}

/** Reads a JSON body that is not stored. Values that Postgres cannot store are left to the schema. */
export const unstoredJson = <Schema extends z.ZodType>(schema: Schema): JsonBody<Schema> =>
  formOf(schema, zValidator('json', schema, rejectInvalid))

type BodyValidator = MiddlewareHandler<AppEnv>

const formOf = <Schema extends z.ZodType>(schema: Schema, validate: BodyValidator): JsonBody<Schema> => ({
  schema,
  guard: guardOf((c, next) => validate(c, () => withBody(c, next))),
  isOptional: false,
})

/**
 * Throws 400 if there is no body. The schema has seen it as `{}`, so that the messages about members that are
 * missing come first.
 */
async function withBody(c: Context<AppEnv>, next: () => Promise<void>): Promise<void> {
  if ((await c.req.text()) === '') await rejectRequest(c, missingBody())
  await next()
}

const guardOf = (handler: BodyValidator): Guard => ({
  handler,
  answers: { ...bodyErrors, 400: z.union([detail, fieldMessages]) },
})

/** The errors of every operation with a body. W1. */
export const bodyErrors: Answers = { 400: detail, 413: detail, 415: detail }

/** Rejects members that Postgres cannot store, before the schema sees the body. */
const storable = (problemOf: (member: unknown) => string | undefined) =>
  z.unknown().superRefine((value, refinement) => {
    const members = typeof value === 'object' && value !== null ? Object.entries(value) : []
    for (const [name, member] of members) {
      const problem = storageProblem(name) ?? problemOf(member)
      if (problem) refinement.addIssue({ code: 'custom', path: [name], message: problem })
    }
  })

/** Reads the query string. strict.ts rejects parameters that the schema does not have. */
export const query = (schema: z.ZodObject): Guard => ({
  handler: zValidator('query', schema, rejectInvalid),
  answers: { 400: fieldMessages },
})

async function rejectInvalid(
  result: { success: boolean; error?: { issues: readonly Issue[] } },
  c: Context,
): Promise<void> {
  if (!result.success) await rejectRequest(c, invalidFields(messagesByField(result.error?.issues ?? [])))
}

/**
 * Throws the error of a request. If the route belongs to a site and the caller has no access to it, throws
 * that error instead, so that only callers with access get details about the request.
 */
export async function rejectRequest(c: Context, error: AppError): Promise<never> {
  const { ctx } = c.var as AppEnv['Variables']
  if (ctx.permission !== undefined) await requireAccess(ctx)
  throw error
}

/** The members of a zod issue that the service uses. */
interface Issue {
  code?: string | undefined
  path: readonly PropertyKey[]
  message: string
  keys?: readonly unknown[]
}

/**
 * Returns the messages by field. If an answer cannot name all fields, returns only the first ones. Messages
 * about the whole body are under `non_field_errors`.
 */
export function messagesByField(issues: readonly Issue[]): Record<string, string[]> {
  const fields = new Map<string, string[]>()
  const add = (field: string, message: string) => {
    const messages = fields.get(field) ?? []
    if (messages.length === 0 && fields.size < problemsMax) fields.set(field, messages)
    if (messages.length < problemsMax) messages.push(message)
  }
  for (const issue of issues) {
    if (fields.size >= problemsMax) break
    const field = issue.path.map(String).join('.')
    if (issue.code === 'unrecognized_keys') {
      const messages = issue.message.split('\n')
      for (const [index, key] of (issue.keys ?? []).slice(0, problemsMax).map(String).entries())
        add(field ? `${field}.${key}` : key, messages[index] ?? issue.message)
    } else {
      add(field || 'non_field_errors', issue.message)
    }
  }
  return Object.fromEntries(fields)
}
