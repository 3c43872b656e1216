/** Rewrites the errors that all areas share into the body shape of one area. Spec: Errors, body shapes. */
import { createMiddleware } from 'hono/factory'
import { AppError, type Json } from '../errors.ts'
import type { AppEnv } from './app-env.ts'
import { errorDetail, fieldErrorDetail, validationFailed } from './openapi/bodies.ts'
import type { Guard } from './openapi/describe.ts'

const names: Readonly<Record<number, string>> = {
  401: 'Authentication required',
  403: 'Permission denied',
  404: 'Not found',
}

/** Answers `{error, detail}` instead of `{detail}` and instead of messages by field. */
export const errorAndDetail: Guard = {
  handler: createMiddleware<AppEnv>(async (c, next) => {
    await next()
    const body = c.error instanceof AppError ? asErrorAndDetail(c.error) : undefined
    if (body) c.res = new Response(JSON.stringify(body), c.res)
  }),
  answers: { 401: errorDetail, 403: errorDetail, 404: errorDetail },
  invalid: fieldErrorDetail,
}

/**
 * Answers `{error, details}` instead of messages by field. Records and edges use it. Spec: Errors, data
 * service writes.
 */
export const errorAndDetails: Guard = {
  handler: createMiddleware<AppEnv>(async (c, next) => {
    await next()
    if (c.error instanceof AppError && hasMessagesByField(c.error)) {
      c.res = new Response(JSON.stringify({ error: 'Validation failed', details: c.error.body }), c.res)
    }
  }),
  invalid: validationFailed,
}

/** Returns undefined for an error that needs no rewriting. */
function asErrorAndDetail(failure: AppError): Json | undefined {
  const { status, body } = failure
  const members = body as Readonly<Record<string, Json>>
  const error = names[status]
  const { detail, hint, ...others } = members
  if (error && detail !== undefined && Object.keys(others).length === 0)
    return { error, detail: hint ?? detail }
  return hasMessagesByField(failure) ? { error: 'Validation failed', detail: members } : undefined
}

const hasMessagesByField = ({ status, body }: AppError): boolean =>
  status === 400 && Object.values(body as object).every(Array.isArray)
