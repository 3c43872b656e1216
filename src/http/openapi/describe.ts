/** What a route says of itself for the API's reference, beside what enforces it; document.ts gathers it. W3. */
import type { MiddlewareHandler } from 'hono'
import { z } from 'zod'

/** The ways of showing who one is: the names of the document's security schemes; and that nobody has to. */
export type Credential = 'bearer' | 'api-key' | 'session' | 'none'

export interface Answer {
  /** Where the status alone does not say it. */
  description?: string
  /** Omitted: the answer has no body. */
  body?: z.ZodType
  /** Of the body, where it is not JSON. */
  mediaType?: string
  /** Names of rows of headers.ts. */
  headers?: readonly string[]
}

/** By status. A schema alone is the body; null: there is none; an array: one answer for each media type. */
export type Answers = Readonly<Record<number, Answer | readonly Answer[] | z.ZodType | null>>

/** What one handler of a route adds to its description. */
export interface Part {
  /** The name of the operation, a verb and a noun: generated clients call it so. */
  id?: string
  summary?: string
  description?: string
  /** Any of these. Omitted everywhere on a route: it asks for none. */
  credentials?: readonly Credential[]
  /** What may stand in the query string. Other parameters are refused, unless the object is a loose one (http/strict.ts). */
  query?: z.ZodObject
  body?: z.ZodType
  isBodyOptional?: true
  /** Names of rows of headers.ts that the request may carry. */
  headers?: readonly string[]
  answers?: Answers
  /** The body of a 400 that has messages by field, where the area has another than FieldMessages. */
  invalid?: z.ZodType
  /** It is for people: the reference leaves it out. */
  isPage?: true
}

const parts = new WeakMap<object, Part>()

/** The handler, which from now on says this of the routes it stands on. */
export function described<Handler extends object>(handler: Handler, part: Part): Handler {
  parts.set(handler, part)
  return handler
}

export const partOf = (handler: object): Part | undefined => parts.get(handler)

/** The query string of what load balancers and browsers ask for: whatever others add to it is ignored. */
export const anyQuery = z.looseObject({})

/** A route that answers a page, and is no part of the API. */
export const page: MiddlewareHandler = described((_c, next) => next(), { isPage: true })

/**
 * What a route does: its name, which no other operation has and which stays when the summary is reworded; a few words; and
 * what it answers when it succeeds or fails for reasons of its own. Credentials, policies and validators declare their own.
 */
export const operation = (id: string, summary: string, answers: Answers, more: Omit<Part, 'id' | 'summary' | 'answers'> = {}): MiddlewareHandler =>
  described((_c, next) => next(), { ...more, id, summary, answers })
