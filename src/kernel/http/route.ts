/** Declares operations of the API as data: their callers, their input, their answers and their handler. */
import type { Context, MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode, StatusCode } from 'hono/utils/http-status'
import * as z from 'zod'
import type { RequestContext } from '../context.ts'
import { readAge } from './age.ts'
import type { AppEnv } from './app-env.ts'
import { readForm } from './body.ts'
import { acceptBody } from './body-formats.ts'
import { idempotencyKey } from './idempotency.ts'
import { shapeOf } from './json-shape.ts'
import { errorDetail } from './openapi/bodies.ts'
import { type Answers, anyQuery, type Guard, type OperationPart } from './openapi/describe.ts'
import { validUrlOf } from './request-url.ts'
import { scannedBody } from './scanned-body.ts'
import { strictGuards } from './strict.ts'
import { type JsonBody, json, query as parsed, type RawQuery, type TextBody } from './validate.ts'
import { acceptViewAs, rejectViewAs } from './view-as.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * An operation or a page, ready to be mounted: its handlers in order, and its description for the reference.
 */
export interface Route {
  readonly method: Method
  readonly path: string
  readonly handlers: readonly MiddlewareHandler<AppEnv>[]
  /** The declarations of the operation and its guards. Undefined for a page, which the reference omits. */
  readonly parts: readonly OperationPart[] | undefined
}

/** A schema is read as `json(schema)`. */
type BodySpec = z.ZodType | JsonBody | TextBody | undefined
type QuerySpec = z.ZodObject | RawQuery | undefined

interface Spec<
  Path extends string,
  Query extends QuerySpec,
  Body extends BodySpec,
  Declared extends Answers,
> {
  /** The name of the operation, a verb and a noun. Generated clients name their methods after it. */
  id: string
  /** A title of a few words, in the imperative. */
  summary: string
  description?: string
  method: Method
  /** The whole path, without its final slash: `/api/users/:username`. */
  path: Path
  /**
   * The credentials that it accepts (access/credentials.ts). Null: none, and requests are not rate-limited.
   */
  auth: Guard | null
  /**
   * The callers who may use it in the site of the request (access/policies.ts). Omitted: it has no site, or
   * its service decides.
   */
  may?: Guard
  /** The form of its error bodies, if its area has its own (http/dialects.ts). */
  dialect?: Guard
  /** The query string. Other parameters are rejected, unless the object is a loose one. */
  query?: Query
  /** The JSON body. A plain schema reads numbers like JSON.parse and rejects what Postgres cannot store. */
  body?: Body
  /** Request headers, by the names of their rows in openapi/headers.ts. */
  headers?: readonly string[]
  /** Whether it accepts an Idempotency-Key. Its service then stores the results of its statements. */
  repeatable?: true
  /**
   * Whether its answer may be older, if the client allows this. The answer then comes from the replica of the
   * database.
   */
  mayBeOld?: true
  /** Whether a page of the list may be too long to send, because a row may have long values. */
  mayBeTooLong?: true
  /** Whether a caller with `admin_site` may get the answer that another person would get. */
  isViewable?: true
  /** The answers by status. The answers of its guards and validators are added. */
  answers: Declared
  /** Checks that run after the query string and the body are read. */
  checks?: readonly MiddlewareHandler<AppEnv>[]
  handle(request: Request<Path, Query, Body>): Promise<Reply<NoInfer<Declared>>> | Reply<NoInfer<Declared>>
}

/** The input of a handler. `query` and `body` are the outputs of their schemas. */
interface Request<Path extends string, Query, Body> {
  ctx: RequestContext
  params: Params<Path>
  query: ReadQuery<Query>
  body: ReadBody<Body>
  /** The URL of the request, for links to other pages of a list. */
  url: string
  /** For headers and cookies. */
  c: Context<AppEnv>
}

type ReadQuery<Query> = Query extends z.ZodType
  ? z.output<Query>
  : Query extends RawQuery
    ? URLSearchParams
    : undefined

type ReadBody<Body> =
  Body extends JsonBody<infer Schema>
    ? z.output<Schema>
    : Body extends TextBody
      ? string
      : Body extends z.ZodType
        ? z.output<Body>
        : undefined

/** The parameters of a path by name: `{ app: string }` for `/api/apps/:app`. */
type Params<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [Key in Name]: string } & Params<Rest>
  : Path extends `${string}:${infer Name}`
    ? { [Key in Name]: string }
    : unknown

/** One of the declared statuses with its body, for example `{ 201: user }`, and optional `headers`. */
type Reply<Declared extends Answers> =
  | {
      [Status in keyof Declared]: { readonly [One in Status]: ContentOf<Declared[Status]> } & ReplyHeaders
    }[keyof Declared]
  | PreparedResponse<keyof Declared>

interface ReplyHeaders {
  readonly headers?: Readonly<Record<string, string>>
}

type ContentOf<Declared> = Declared extends z.ZodType
  ? z.output<Declared>
  : Declared extends readonly (infer One)[]
    ? ContentOf<One>
    : Declared extends { body: infer Schema extends z.ZodType }
      ? z.output<Schema>
      : null

/** A finished response of a handler, for example records that Postgres has written as JSON, or a page. */
export class PreparedResponse<Status> {
  readonly status: Status
  readonly response: Response

  constructor(status: Status & StatusCode, response: Response) {
    this.status = status
    this.response = response
  }
}

/** Creates a response from JSON text. */
export const preparedJson = <Status extends 200 | 201>(c: Context, status: Status, text: string) =>
  new PreparedResponse(status, c.body(text, status, { 'Content-Type': 'application/json' }))

/** Declares an operation. */
export function route<
  const Path extends string,
  Declared extends Answers,
  Query extends QuerySpec = undefined,
  Body extends BodySpec = undefined,
>(spec: Spec<Path, Query, Body, Declared>): Route {
  const { id, summary, description, headers, answers, checks = [] } = spec
  const query = querySource(spec.query)
  const body = bodySource(spec.body)
  const own: OperationPart = {
    id,
    summary,
    answers,
    ...(description === undefined ? {} : { description }),
    ...(headers === undefined ? {} : { headers }),
    ...query.part,
    ...body.part,
  }
  const guards: Guard[] = [
    acceptBody(body.part.lines ? ['json', 'csv', 'ndjson'] : ['json'], spec.dialect?.bodyType),
    ...[spec.dialect, spec.auth, spec.may].flatMap((guard) => guard ?? []),
    { handler: scannedBody(body.part.body ? shapeOf(body.part.body) : {}, spec.auth?.bodyBytesMax) },
    ...(spec.repeatable ? [idempotencyKey] : []),
    ...(spec.mayBeOld ? [readAge] : []),
    spec.isViewable ? acceptViewAs : rejectViewAs,
    ...(query.isLate ? [] : strictGuards(own, spec.dialect)),
    ...query.guards,
    ...body.guards,
  ]
  const run = async (c: ValidatedContext) => {
    const request = {
      ctx: c.get('ctx'),
      params: c.req.param(),
      query: query.read(c),
      body: await body.read(c),
      url: c.req.url,
      c,
    }
    return responseOf(c, await spec.handle(request as Request<Path, Query, Body>))
  }
  return {
    method: spec.method,
    path: spec.path,
    handlers: [...guards.map(({ handler }) => handler), ...checks, run as MiddlewareHandler<AppEnv>],
    parts: [
      own,
      ...guards,
      ...(spec.repeatable ? [successHeader(answers, 'Idempotency-Replayed')] : []),
      ...(spec.mayBeOld ? [successHeader(answers, 'Age')] : []),
      ...(spec.mayBeTooLong ? [pageTooLong] : []),
    ],
  }
}

/** Documents that a page may be too long to send (tessera.run). */
const pageTooLong: OperationPart = { answers: { 422: errorDetail } }

/** Documents a header of all successful answers. */
function successHeader(answers: Answers, name: string): OperationPart {
  const successes = Object.keys(answers).filter((status) => status.startsWith('2'))
  return { answers: Object.fromEntries(successes.map((status) => [status, { headers: [name] }])) }
}

/** How a part of the request is read, checked and documented. */
interface Source {
  /** Whether the handler checks the names of parameters. */
  isLate?: boolean
  part: OperationPart
  guards: readonly Guard[]
  read(c: ValidatedContext): unknown
}

function querySource(spec: QuerySpec): Source {
  if (spec === undefined) return { part: {}, guards: [], read: () => undefined }
  if (spec === anyQuery) return { part: { query: anyQuery }, guards: [], read: () => undefined }
  if (spec instanceof z.ZodType)
    return { part: { query: spec }, guards: [parsed(spec)], read: (c) => c.req.valid('query') }
  return {
    isLate: spec.isLate ?? false,
    part: { query: spec.parametersOf },
    guards: [],
    read: (c) => new URLSearchParams(validUrlOf(c.req.raw).search),
  }
}

function bodySource(spec: BodySpec): Source {
  if (spec === undefined) return { part: {}, guards: [], read: () => undefined }
  if ('textOf' in spec) {
    const { textOf, lines } = spec
    return {
      part: { body: textOf, ...(lines ? { lines } : {}) },
      guards: [],
      read: (c) => c.req.text(),
    }
  }
  const { schema, guard, isOptional } = spec instanceof z.ZodType ? json(spec) : spec
  const part: OperationPart = { body: schema, ...(isOptional ? { isBodyOptional: true } : {}) }
  return { part, guards: [guard], read: (c) => c.req.valid('json') }
}

/** The context after the validators have run. */
type ValidatedContext = Context<AppEnv, string, { out: { query: unknown; json: unknown } }>

interface PageSpec<Path extends string> {
  method: 'GET' | 'POST'
  path: Path
  auth: Guard | null
  may?: Guard
  /** The most bytes of its form, if they are more than those of other forms. */
  formBytesMax?: number
  handle(c: Context<AppEnv>, params: Params<Path>): Promise<Response> | Response
}

/** Declares a page for browsers. The reference omits it, and its query string may have any parameter. */
export function page<const Path extends string>(spec: PageSpec<Path>): Route {
  const { method, path, auth, may, formBytesMax, handle } = spec
  const guards = [auth, may].flatMap((guard) => guard?.handler ?? [])
  const run: MiddlewareHandler<AppEnv, Path> = async (c) => handle(c, c.req.param() as Params<Path>)
  return { method, path, handlers: [...guards, readForm(formBytesMax), run], parts: undefined }
}

function responseOf(c: Context, reply: object): Response {
  if (reply instanceof PreparedResponse) return reply.response
  const { headers = {}, ...answer } = reply as ReplyHeaders & Readonly<Record<string, object | null>>
  const [[status, body] = ['204', null]] = Object.entries(answer)
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  return body === null
    ? c.body(null, Number(status) as StatusCode)
    : c.json(body, Number(status) as ContentfulStatusCode)
}
