/** The parts that all routes of records share: rejections of writes, If-Match, and answers with a record. */

import type { Context, MiddlewareHandler } from 'hono'
import * as z from 'zod'
import type { AppEnv } from '../../kernel/http/app-env.ts'
import { sentBody } from '../../kernel/http/body-formats.ts'
import { quotedTag } from '../../kernel/http/entity-tags.ts'
import { mediaTypeOf, respond } from '../../kernel/http/envelope.ts'
import { detail, validationFailed } from '../../kernel/http/openapi/bodies.ts'
import { PreparedResponse, preparedJson } from '../../kernel/http/route.ts'
import { bodyErrors } from '../../kernel/http/validate.ts'
import { booleanOf } from '../../kernel/lib/boolean-text.ts'
import { onlyOnReads } from '../failures/errors.ts'
import { entityTagOf, versionsIn } from '../model/entity-tag.ts'
import type { RecordBody } from '../write/answer/bodies.ts'
import type { Sent } from '../write/plan/request.ts'
import { fieldFailure, writeErrors } from './schema.ts'

/** The answers that reject a write without a body. */
export const rejectionsWithoutBody = {
  400: z.union([detail, validationFailed, fieldFailure]),
  409: fieldFailure,
  422: writeErrors,
}

/** The answers that reject a write with a body. */
export const rejections = { ...bodyErrors, ...rejectionsWithoutBody }

/** Returns the versions that If-Match names by their ETags. Null means any state. */
export const ifMatchTags = (c: Context<AppEnv>): readonly string[] | null =>
  versionsIn(c.get('ctx').config, c.req.header('if-match'))

/** Rejects If-None-Match on a write: `*` would mean that the record must not exist yet. */
export const rejectIfNoneMatch: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.req.header('if-none-match') !== undefined) throw onlyOnReads()
  await next()
}

/** Returns what a request to write sends. Without `body` it has none. */
export const sentIn = (c: Context<AppEnv>, parameters: URLSearchParams, body?: string): Sent => ({
  ...(body !== undefined && { body: sentBody(c, body) }),
  parameters,
  ifMatch: ifMatchTags(c),
})

/** Returns the ETag of an answer; null if it has none. */
export function entityTagFor(c: Context<AppEnv>, answer: RecordBody): string | null {
  const { etag: version, fields, isOfGuest, data } = answer
  if (version === null) return null
  return entityTagIn(c, c.req.param('table') ?? '', version, isOfGuest ? [fields, data] : [fields])
}

/**
 * Returns the ETag of a record of a table with this version. `form` contains everything else on which the
 * answer depends, for example the fields that are shown.
 */
export function entityTagIn(
  c: Context<AppEnv>,
  table: string,
  version: string,
  form: readonly unknown[] = [null],
): string {
  const { config, entered, requestKey } = c.get('ctx')
  // The answer to a repeated request shows the record in the form of the first answer.
  const catalogVersion = requestKey?.replayedCatalog ?? entered?.catalogVersion
  const shown = [entered?.siteId, catalogVersion, c.req.param('app'), table, ...form]
  return entityTagOf(config, version, shown)
}

/** Tells a typed client the schema of the records that are read, so that it notices a change. */
export function tellSchema(c: Context<AppEnv>): void {
  const { readSchema } = c.get('ctx')
  if (readSchema !== undefined) c.header(schemaHeader, readSchema)
}

/** The header with the hash of the schema of the table. */
export const schemaHeader = 'X-Schema-Hash'

/** Answers a write: with 200 and `dry_run` if it was a dry run. */
export function respondToWrite<Status extends 200 | 201>(
  c: Context,
  status: Status,
  answer: RecordBody,
): PreparedResponse<Status | 200> {
  return isDryRun(c) ? respond(c, 200, asDryRun(answer)) : respondWithRecord(c, status, answer)
}

/**
 * Answers a write of several records: as `respondToWrite` does, or with 207 if invalid records are left out.
 */
export function respondToWrites<Status extends 200 | 201>(
  c: Context,
  status: Status,
  answer: RecordBody,
): PreparedResponse<Status | 200 | 207> {
  if (!answer.isPartial) return respondToWrite(c, status, answer)
  return respondInPart(c, isDryRun(c) ? asDryRun(answer) : answer)
}

const asDryRun = (answer: RecordBody): RecordBody => ({
  ...answer,
  etag: null,
  ...(answer.profile === 'minimal' ? { data: marked(answer.data) } : { beside: answer.beside + dryRunMark }),
})

/** Always uses the envelope, because the answer has errors in addition to the records. */
function respondInPart(c: Context, { data, beside, profile }: RecordBody): PreparedResponse<207> {
  const text = profile === 'minimal' ? data : `{"data":${data}${beside}}`
  const type = profile ? mediaTypeOf(profile) : 'application/json'
  return new PreparedResponse(207, c.body(text, 207, { 'Content-Type': type }))
}

/** Answers a write with a text of JSON, as `respondToWrite` does. */
export const respondWithText = <Status extends 200 | 201>(
  c: Context,
  status: Status,
  text: string,
): PreparedResponse<Status | 200> =>
  isDryRun(c) ? preparedJson(c, 200, marked(text)) : preparedJson(c, status, text)

const isDryRun = (c: Context): boolean => booleanOf(c.req.query('dry_run')) === true

const dryRunMark = ',"dry_run":true'

/** Adds the mark to the text of a JSON object that has members. */
const marked = (text: string): string => `${text.slice(0, -1)}${dryRunMark}}`

/** Answers with a record and its ETag. */
export function respondWithRecord<Status extends 200 | 201>(
  c: Context<AppEnv>,
  status: Status,
  answer: RecordBody,
): PreparedResponse<Status> {
  const tag = entityTagFor(c, answer)
  if (tag !== null) c.header('ETag', quotedTag(tag))
  return respond(c, status, answer)
}
