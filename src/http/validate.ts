/** Validation of what comes in, from the zod schema that also documents it. Spec: Errors, field validation. */
import '../lib/zod-messages.ts'
import { zValidator } from '@hono/zod-validator'
import type { Context, MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { requireAccess } from '../db/tenant.ts'
import { type AppError, invalidFields } from '../errors.ts'
import { readVerbatim } from '../lib/exact-json.ts'
import { parsedProblem, storageProblem } from '../lib/storable.ts'
import type { AppEnv } from './app-env.ts'
import { readJsonBy } from './body.ts'
import { detail, fieldMessages } from './openapi/bodies.ts'
import { type Answers, described, type Part } from './openapi/describe.ts'

/** The JSON body. In `c.req.valid('json')` it is what the schema made of it. */
export const body = <Schema extends z.ZodType>(schema: Schema) => documented(schema, zValidator('json', storable(parsedProblem).pipe(schema), refuse))

/** The JSON body of a request that keeps what its members are made of as text: each number is what was sent, a RawNumber where need be. */
export const verbatimBody = <Schema extends z.ZodType>(schema: Schema) =>
  documented(schema, verbatim(zValidator('json', storable(storageProblem).pipe(schema), refuse)))

const verbatim = <Validator extends MiddlewareHandler>(validate: Validator): Validator =>
  ((c, next) => {
    readJsonBy(c, readVerbatim)
    return validate(c, next)
  }) as Validator

/** The same of a body that may be left out: a request without one is as one with `{}`. */
export function optionalBody<Schema extends z.ZodType>(schema: Schema) {
  const validator = zValidator('json', storable(parsedProblem).pipe(schema), refuse)
  const handler: typeof validator = async (c, next) => {
    // Clients that declare JSON for every request send this one without a byte of it.
    if ((await c.req.text()) === '') c.req.bodyCache.text = Promise.resolve('{}') as never
    return validator(c, next)
  }
  return documented(schema, handler, { isBodyOptional: true })
}

/** The JSON body of a request that keeps nothing of it: of what Postgres cannot hold the schema is the judge. */
export const passingBody = <Schema extends z.ZodType>(schema: Schema) => documented(schema, zValidator('json', schema, refuse))

const documented = <Validator extends object>(schema: z.ZodType, validator: Validator, more: Part = {}): Validator =>
  described(validator, { ...more, body: schema, answers: { ...bodyRefusals, 400: z.union([detail, fieldMessages]) } })

/** What every body may be refused for. W1. */
export const bodyRefusals: Answers = { 400: detail, 413: detail, 415: detail }

/** Before anything looks at a body: each of its members is something that Postgres can hold. */
const storable = (problemOf: (member: unknown) => string | undefined) =>
  z.unknown().superRefine((value, refinement) => {
    const members = typeof value === 'object' && value !== null ? Object.entries(value) : []
    for (const [name, member] of members) {
      const problem = storageProblem(name) ?? problemOf(member)
      if (problem) refinement.addIssue({ code: 'custom', path: [name], message: problem })
    }
  })

/** The values of the query string. Parameters that the schema does not have, strict.ts refuses. */
export function query<Schema extends z.ZodObject>(schema: Schema) {
  const validator = zValidator('query', schema, refuse)
  return described(validator, { query: schema, answers: { 400: fieldMessages } })
}

async function refuse(result: { success: boolean; error?: { issues: readonly Issue[] } }, c: Context): Promise<void> {
  if (!result.success) await refuseWith(c, invalidFields(messagesByField(result.error?.issues ?? [])))
}

/** Throws the refusal of a request. Who may not use a site's route learns that, and not what was wrong with the request. */
export async function refuseWith(c: Context, refusal: AppError): Promise<never> {
  const { ctx } = c.var as AppEnv['Variables']
  if (ctx.permission !== undefined) await requireAccess(ctx)
  throw refusal
}

/** What zod says, as far as it is read here. */
interface Issue {
  code?: string | undefined
  path: readonly PropertyKey[]
  message: string
  keys?: readonly unknown[]
}

/** Messages by field; what concerns the whole body stands under `non_field_errors`. */
export function messagesByField(issues: readonly Issue[]): Record<string, string[]> {
  const fields = new Map<string, string[]>()
  const add = (field: string, message: string) => fields.set(field, [...(fields.get(field) ?? []), message])
  for (const issue of issues) {
    const field = issue.path.map(String).join('.')
    if (issue.code === 'unrecognized_keys') {
      const messages = issue.message.split('\n')
      for (const [place, key] of (issue.keys ?? []).map(String).entries()) add(field ? `${field}.${key}` : key, messages[place] ?? issue.message)
    } else {
      add(field || 'non_field_errors', issue.message)
    }
  }
  return Object.fromEntries(fields)
}
