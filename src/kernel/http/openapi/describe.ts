/**
 * The types that describe an operation in the reference. The handlers that enforce the description declare
 * it. W3.
 */
import type { MiddlewareHandler } from 'hono'
import * as z from 'zod'
import type { AppEnv } from '../app-env.ts'

/** How a caller authenticates: the names of the document's security schemes, or `none`. */
export type Credential = 'bearer' | 'api-key' | 'session' | 'directory-key' | 'none'

/** An answer of an operation with a certain status. */
export interface Answer {
  /** Overrides the description of the status. */
  description?: string
  /** The schema of the body. Omitted: the answer has none. */
  body?: z.ZodType
  /** The media type of the body. Omitted: application/json. */
  mediaType?: string
  /** An example of a body that is not JSON. Those of JSON are recorded (reference/examples.ts). */
  example?: string
  /** Response headers, by the names of their rows in headers.ts. */
  headers?: readonly string[]
}

/**
 * The answers by status. A plain schema is the body, null is an empty body, an array has one answer for each
 * media type.
 */
export type Answers = Readonly<Record<number, Answer | readonly Answer[] | z.ZodType | null>>

/** A part of the description of an operation. The operation, a guard or a validator adds it. */
export interface OperationPart {
  /** The name of the operation, a verb and a noun. Generated clients use it for their methods. */
  id?: string
  summary?: string
  description?: string
  /** The credentials that the operation accepts. Any one of them is enough. */
  credentials?: readonly Credential[]
  /**
   * The query parameters. Others are rejected, unless the object is a loose one or the area is open
   * (http/strict.ts).
   */
  query?: z.ZodObject
  body?: z.ZodType
  /** The schema of the body as lines of CSV or JSON, if the operation accepts these, too. */
  lines?: z.ZodType
  isBodyOptional?: true
  /** Request headers, by the names of their rows in headers.ts. */
  headers?: readonly string[]
  answers?: Answers
  /** The body of a 400 with messages by field. Omitted: FieldMessages. */
  invalid?: z.ZodType
  /** The body of every error, instead of those that guards and validators declare. */
  errors?: { body: z.ZodType; mediaType: string }
  /** A media type that the JSON body can also have. */
  bodyType?: string
  /** The most bytes of the body, if they are fewer than those of every body. */
  bodyBytesMax?: number
  /** Undeclared query parameters are ignored. W5. */
  isOpen?: true
}

/** A middleware, with its part of the description of every operation that uses it. */
export interface Guard extends OperationPart {
  readonly handler: MiddlewareHandler<AppEnv>
}

/** A query string whose parameters are ignored: for paths that load balancers and browsers request. */
export const anyQuery = z.looseObject({})
