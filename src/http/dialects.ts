/** Failures that every area shares, in the words of an area that says them otherwise. Spec: Errors, body shapes. */
import { createMiddleware } from 'hono/factory'
import { AppError, type Json } from '../errors.ts'
import type { AppEnv } from './app-env.ts'
import { errorDetail, fieldErrorDetail, validationFailed } from './openapi/bodies.ts'
import { described } from './openapi/describe.ts'

const names: Readonly<Record<number, string>> = { 401: 'Authentication required', 403: 'Permission denied', 404: 'Not found' }

/** `{error, detail}` in the place of `{detail}` and of messages by field. */
export const errorAndDetail = described(
  createMiddleware<AppEnv>(async (c, next) => {
    await next()
    const body = c.error instanceof AppError ? asErrorAndDetail(c.error) : undefined
    if (body) c.res = new Response(JSON.stringify(body), c.res)
  }),
  { answers: { 401: errorDetail, 403: errorDetail, 404: errorDetail }, invalid: fieldErrorDetail },
)

/** `{error, details}` in the place of messages by field: of records and edges. Spec: Errors, data service writes. */
export const errorAndDetails = described(
  createMiddleware<AppEnv>(async (c, next) => {
    await next()
    if (c.error instanceof AppError && hasMessagesByField(c.error)) {
      c.res = new Response(JSON.stringify({ error: 'Validation failed', details: c.error.body }), c.res)
    }
  }),
  { invalid: validationFailed },
)

/** Undefined for what is said in this dialect already, and for what is about no area. */
function asErrorAndDetail(failure: AppError): Json | undefined {
  const { status, body } = failure
  const members = body as Readonly<Record<string, Json>>
  const error = names[status]
  if (error && Object.keys(members).join() === 'detail') return { error, ...members }
  return hasMessagesByField(failure) ? { error: 'Validation failed', detail: members } : undefined
}

const hasMessagesByField = ({ status, body }: AppError): boolean => status === 400 && Object.values(body as object).every(Array.isArray)
