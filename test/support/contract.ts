/** Checks every response in a test against the published document, and records the observed statuses. */
import { dereference, type OutputUnit, validate } from '@cfworker/json-schema'
import { inject } from 'vitest'
import { z } from 'zod'
import { loadRoutes } from '../../src/app.ts'
import { resolved } from '../../src/kernel/http/openapi/components.ts'
import type { Guard, OperationPart } from '../../src/kernel/http/openapi/describe.ts'
import { documentOf } from '../../src/kernel/http/openapi/document.ts'
import type { JsonSchema, Operation, Response } from '../../src/kernel/http/openapi/types.ts'
import { strictGuards } from '../../src/kernel/http/strict.ts'
import { splitSitePrefix } from '../../src/kernel/http/tenant-locator.ts'

const routes = await loadRoutes()
const document = documentOf(routes, new Map())

export interface DocumentedOperation extends Operation {
  method: string
  path: string
}

export const operations: readonly DocumentedOperation[] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
)

/** Returns the schema, or the one that it references. */
export const schemaOf = (schema: JsonSchema): JsonSchema => resolved(schema, document.components.schemas)

/** Returns the response that the document declares for a status. */
export function responseOf({ responses }: Operation, status: number): Response | undefined {
  const response = responses[status]
  return response && resolved(response, document.components.responses)
}

const partsOf = new Map(routes.flatMap(({ parts }) => (parts?.[0]?.id ? [[parts[0].id, parts]] : [])))

/**
 * Returns what gives an operation its answer with a status: the operation itself, or guards that it shares
 * with others. An answer of these guards to one operation is their answer to all.
 */
function sourcesOf({ operationId }: Operation, status: number | string): readonly OperationPart[] {
  const [own, ...guards] = (partsOf.get(operationId) ?? []).filter(({ answers = {} }) => status in answers)
  if (!own) return []
  return own.id === operationId ? [own] : [own, ...guards]
}

const numbers = new Map<OperationPart, number>()
function numberOf(part: OperationPart): number {
  if (!numbers.has(part)) numbers.set(part, numbers.size)
  return numbers.get(part) as number
}

/** Names the sources of an answer: operations with the same name have it from the same guards. */
function nameOfSources(operation: Operation, status: number | string): string {
  const sources = sourcesOf(operation, status)
  // Without a source the document declares the answer for all operations.
  return `${status} ${sources.map(numberOf).join(' ') || operation.operationId}`
}

/** Returns one of the operations for each source of their answer with a status. */
export function oneBySource(all: readonly DocumentedOperation[], status: number): DocumentedOperation[] {
  const bySource = Map.groupBy(all, (operation) => nameOfSources(operation, status))
  return [...bySource.values()].flatMap(([first]) => first ?? [])
}

/** The guards that decide who may call an operation. Those of a dialect declare the same statuses. */
export const decidesAccess = ({ answers = {}, invalid }: OperationPart) =>
  !invalid && ['401', '403', '404', '429'].some((status) => status in answers)

const isUsedOnce = (() => {
  const uses = Map.groupBy([...partsOf.values()].flat(), (part) => part)
  return (part: OperationPart) => uses.get(part)?.length === 1
})()

/** Returns the schema of the query string of an operation. */
export const queryOf = ({ operationId }: DocumentedOperation) => partsOf.get(operationId)?.[0]?.query

/** Returns the guards of an operation, in the order in which they run. */
export const guardsOf = ({ operationId }: DocumentedOperation): readonly Guard[] =>
  (partsOf.get(operationId) ?? []).filter((part): part is Guard => 'handler' in part)

const [strictGuard] = strictGuards({ query: z.object({}) })
/** Tells if a guard rejects undeclared and repeated parameters. */
export const isStrict = ({ handler }: Guard): boolean => String(handler) === String(strictGuard?.handler)

/**
 * Names the guards of an operation: those that decide who may call it, or those that read the request. One
 * that reads the requests of a single operation is known by the text of its function, which is the same for
 * all that one factory makes.
 */
function nameOfGuards(operation: DocumentedOperation, which: 'access' | 'reading'): string {
  const guards = guardsOf(operation).filter((guard) => decidesAccess(guard) === (which === 'access'))
  const isMade = (guard: Guard) => which === 'reading' && isUsedOnce(guard)
  const names = guards.map((guard) => (isMade(guard) ? String(guard.handler) : numberOf(guard)))
  const { operationId, parameters, requestBody } = operation
  const takesQuery = parameters.some((each) => each.in === 'query')
  // Its handler checks the names of parameters.
  const itself = takesQuery && !guards.some(isStrict) ? operationId : undefined
  return JSON.stringify([names, takesQuery, requestBody?.required, ...(which === 'reading' ? [itself] : [])])
}

/** Returns one of the operations for each way to decide on access, or to read a request. */
export const oneByGuards = (all: readonly DocumentedOperation[], which: 'access' | 'reading') =>
  [...Map.groupBy(all, (operation) => nameOfGuards(operation, which)).values()].flatMap(
    ([first]) => first ?? [],
  )

interface Matcher {
  operation: DocumentedOperation
  pattern: RegExp
}

/** Literal segments come before parameters, as in the router. */
const matchers: readonly Matcher[] = operations
  .map((operation) => ({
    operation,
    pattern: new RegExp(
      `^${operation.path
        .replace(/\/$/, '')
        .replaceAll('.', '\\.')
        .replace(/\{\w+\}/g, '[^/]+')}/?$`,
    ),
  }))
  .sort((a, b) =>
    a.operation.path.replaceAll('{', '\uffff') < b.operation.path.replaceAll('{', '\uffff') ? -1 : 1,
  )

function operationAt(method: string, url: string): DocumentedOperation | undefined {
  const { path } = splitSitePrefix(new URL(url).pathname)
  return matchers.find(
    ({ operation, pattern }) =>
      operation.method === (method === 'HEAD' ? 'GET' : method) && pattern.test(path),
  )?.operation
}

/** All schemas by their URIs. The components are indexed once, because that is slower than any validation. */
const schemas = dereference({ components: document.components } as JsonSchema)
const known = new Set<JsonSchema>()

/** Validates a value. References lead to the components of the document. */
function validated(value: unknown, schema: JsonSchema): ReturnType<typeof validate> {
  if (!known.has(schema)) dereference(schema, schemas, undefined, `/answers/${known.size}`)
  known.add(schema)
  return validate(value, schema, '2020-12', schemas)
}

/** The sources of the observed responses. */
const seen = new Set<string>()

/** Throws if the document does not declare the response for the request. */
export function checkAnswer(
  method: string,
  url: string,
  status: number,
  mediaType: string,
  body: unknown,
): void {
  const operation = operationAt(method, url)
  // Every path answers 405 to other methods, which the document does not say of each.
  if (!operation || status === 405) {
    if (
      new URL(url).pathname.startsWith('/api/') &&
      status !== 404 &&
      status !== 405 &&
      method !== 'OPTIONS'
    ) {
      throw new Error(`${method} ${url} answered ${status}, and is not in the document`)
    }
    return
  }
  const declared = operation.responses[status]
  const name = `${operation.operationId} ${status}`
  if (!declared) throw new Error(`"${name}" is not declared; it answered ${JSON.stringify(body)}`)
  seen.add(nameOfSources(operation, status))
  const content = resolved(declared, document.components.responses).content ?? {}
  // A page has a charset, but no schema to compare it with.
  const schema = content[mediaType]?.schema
  if (/^application\/(scim\+)?json/.test(mediaType) && !schema)
    throw new Error(`"${name}" is not declared as ${mediaType}`)
  if (method === 'HEAD' || !schema) return
  const { valid, errors } = validated(shortened(body), schema)
  if (!valid)
    throw new Error(
      `"${name}" has a body that is none of the declared: ${JSON.stringify(body)}: ${errors.map(reason).join('; ')}`,
    )
}

/**
 * Returns only the first items of a long list, because the others are similar, with names that the validator
 * can print.
 */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 3).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.toWellFormed(), shortened(member)]),
  )
}

const reason = ({ instanceLocation, error }: OutputUnit) => `${instanceLocation} ${error}`

/** Reports the responses that were observed since the last report to global-setup. */
export async function reportSeen(): Promise<void> {
  if (seen.size === 0) return
  const declared = declaredResponses()
  await fetch(inject('coverageUrl'), {
    method: 'POST',
    body: JSON.stringify({
      declared: declared.map(({ name }) => name),
      seen: declared.filter(({ sources }) => seen.has(sources)).map(({ name }) => name),
    }),
  })
  seen.clear()
}

/**
 * Returns the declared statuses. A failure of the service itself (5xx) is not declared by an operation, and
 * never expected.
 */
const declaredResponses = (): { name: string; sources: string }[] =>
  operations.flatMap((operation) =>
    Object.keys(operation.responses)
      .filter((status) => status !== 'default')
      .map((status) => ({
        name: `${operation.operationId} ${status}`,
        sources: nameOfSources(operation, status),
      })),
  )
