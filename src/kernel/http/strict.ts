/**
 * Rejects undeclared and repeated query parameters before a request is read. W5.
 */
import { createMiddleware } from 'hono/factory'
import * as z from 'zod'
import { invalidFields } from '../errors.ts'
import { storageProblem } from '../lib/storable.ts'
import { unknownParameterMessage } from '../lib/unknown-parameter.ts'
import { problemsMax } from '../lib/zod-messages.ts'
import type { AppEnv } from './app-env.ts'
import { fieldMessages } from './openapi/bodies.ts'
import { anyQuery, type Guard, type OperationPart } from './openapi/describe.ts'
import { isRepeatable } from './params.ts'
import { validUrlOf } from './request-url.ts'
import { messagesByField, rejectRequest } from './validate.ts'

/**
 * Returns the guards of an operation's query string; none if there is nothing to reject. They run
 * after the guards for access and before the validators. The dialect of the area may have its own body of
 * their 400, and may ignore undeclared parameters.
 */
export function strictGuards({ query }: OperationPart, dialect: OperationPart = {}): Guard[] {
  const { invalid = fieldMessages, isOpen = false } = dialect
  if (query === anyQuery || (isOpen && !query)) return []
  const handler = query ? strict(query.shape, isOpen || isLoose(query)) : strict({}, isOpen)
  return [{ handler, answers: { 400: invalid } }]
}

/** Tells whether a schema is loose: it accepts parameters of any name, and the handler validates them. */
const isLoose = (query: z.ZodObject): boolean => query.def.catchall instanceof z.ZodUnknown

const strict = (declared: z.ZodRawShape, isOpen: boolean) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const problems = problemsOf(validUrlOf(c.req.raw).searchParams, declared, isOpen)
    if (problems.length > 0) await rejectRequest(c, invalidFields(Object.fromEntries(problems)))
    await next()
  })

/** The most parameters of a query string. */
const parametersMax = 1_000
const tooManyParameters = `A query string may have at most ${parametersMax} parameters.`

/** Throws 400 for undeclared and repeated parameters, and for too many. */
export function checkQuery(schema: z.ZodObject, parameters: URLSearchParams): void {
  const problems = problemsOf(parameters, schema.shape, false)
  if (problems.length > 0) throw invalidFields(Object.fromEntries(problems))
}

/** Reads a query string by its schema. Throws 400 for undeclared, repeated and invalid parameters. */
export function readQuery<Schema extends z.ZodObject>(
  schema: Schema,
  parameters: URLSearchParams,
): z.output<Schema> {
  checkQuery(schema, parameters)
  const parsed = schema.safeParse(Object.fromEntries(parameters))
  if (!parsed.success) throw invalidFields(messagesByField(parsed.error.issues))
  return parsed.data
}

/**
 * Returns the messages for parameters that are undeclared, cannot be stored, or are repeated without being a
 * list.
 */
function problemsOf(
  query: URLSearchParams,
  declared: z.ZodRawShape,
  isOpen: boolean,
): [parameter: string, messages: string[]][] {
  if (query.size > parametersMax) return [['non_field_errors', [tooManyParameters]]]
  const problems: [string, string[]][] = []
  for (const name of new Set(query.keys())) {
    if (problems.length === problemsMax) break
    const problem = problemOf(name, query, declared, isOpen)
    if (problem !== undefined) problems.push([name, [problem]])
  }
  return problems
}

function problemOf(
  name: string,
  query: URLSearchParams,
  declared: z.ZodRawShape,
  isOpen: boolean,
): string | undefined {
  if (!Object.hasOwn(declared, name))
    return isOpen ? undefined : unknownParameterMessage(name, Object.keys(declared))
  const values = query.getAll(name)
  const unstorable = values.map((value) => storageProblem(value)).find((problem) => problem !== undefined)
  if (unstorable !== undefined) return unstorable
  return isRepeatable(declared[name] as z.ZodType) || values.length === 1
    ? undefined
    : 'This parameter may be given only once.'
}
