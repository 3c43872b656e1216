/** The formats that a body of the API can have, and those that a Content-Type names. */
import type { Context } from 'hono'
import type { JsonScan } from '../lib/json-scan.ts'
import type { AppEnv } from './app-env.ts'
import { unsupportedCharset, unsupportedMediaType } from './body-errors.ts'
import type { Guard } from './openapi/describe.ts'
import { type StreamForm, streamTypes } from './stream-forms.ts'

export type BodyFormat = 'json' | StreamForm

/** The media type of each format. */
const bodyTypes: Readonly<Record<BodyFormat, string>> = { json: 'application/json', ...streamTypes }

const patterns: readonly [format: BodyFormat, pattern: RegExp][] = [
  ['json', /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i],
  ['csv', /^text\/csv(?:\s*;|$)/i],
  ['ndjson', /^application\/x-ndjson(?:\s*;|$)/i],
]

/** Returns the format that the Content-Type of a request names; undefined if it names none. */
export function bodyFormatOf({ req }: Context): BodyFormat | undefined {
  const type = req.header('content-type') ?? ''
  return patterns.find(([, pattern]) => pattern.test(type))?.[0]
}

const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i
/** Bodies are read as UTF-8, which contains ASCII. */
const readable = /^(?:utf-?8|us-ascii)$/i

/** Returns the encoding that the Content-Type of a request declares, unless bodies are read as this one. */
function otherCharset({ req }: Context): string | undefined {
  const [, declared] = charset.exec(req.header('content-type') ?? '') ?? []
  return declared === undefined || readable.test(declared) ? undefined : declared
}

export interface SentBody {
  text: string
  format: BodyFormat
  /** What JSON contains. */
  scan?: JsonScan
}

/** Returns the body of a request with its format. */
export function sentBody(c: Context<AppEnv>, text: string): SentBody {
  const { scan } = c.var
  return { text, format: bodyFormatOf(c) ?? 'json', ...(scan ? { scan } : {}) }
}

/** Tells whether a request has a body. */
export const hasBody = ({ req }: Context): boolean =>
  req.raw.body !== null &&
  req.method !== 'GET' &&
  req.method !== 'HEAD' &&
  req.header('content-length') !== '0'

/**
 * Returns the guard of an operation that takes bodies of these formats. It throws 415 for others, and for
 * another encoding than UTF-8. `bodyType` is a media type of JSON that the operation names first.
 */
export function acceptBody(formats: readonly BodyFormat[], bodyType?: string): Guard {
  return {
    async handler(c: Context<AppEnv>, next) {
      if (hasBody(c) && !formats.includes(bodyFormatOf(c) as BodyFormat))
        throw unsupportedMediaType([
          ...(bodyType === undefined ? [] : [bodyType]),
          ...formats.map((format) => bodyTypes[format]),
        ])
      const declared = hasBody(c) ? otherCharset(c) : undefined
      if (declared !== undefined) throw unsupportedCharset(declared)
      await next()
    },
  }
}
