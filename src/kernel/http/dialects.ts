/** Rewrites the errors that all areas share to the form of one area. Spec: Errors, body shapes. */
import { createMiddleware } from 'hono/factory'
import { AppError, type Json } from '../errors.ts'
import type { AppEnv } from './app-env.ts'
import { errorDetail, fieldErrorDetail, scimError, validationFailed } from './openapi/bodies.ts'
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
      c.res = new Response(
        JSON.stringify({ error: 'Validation failed', details: c.error.body, code: c.error.code }),
        c.res,
      )
    }
  }),
  invalid: validationFailed,
}

/** Returns undefined for an error that needs no rewriting. */
function asErrorAndDetail(failure: AppError): Json | undefined {
  const { status, code, body } = failure
  const members = body as Readonly<Record<string, Json>>
  const error = names[status]
  const { detail, hint, code: _code, ...others } = members
  if (error && detail !== undefined && Object.keys(others).length === 0)
    return { error, detail: hint ?? detail, code }
  return hasMessagesByField(failure) ? { error: 'Validation failed', detail: members, code } : undefined
}

const hasMessagesByField = ({ status, body }: AppError): boolean =>
  status === 400 && Object.values(body as object).every(Array.isArray)

const scimMediaType = 'application/scim+json'
const scimErrorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'

/**
 * Answers errors in the form of SCIM, and all bodies in its media type. RFC 7644 §3.12. Directories add query
 * parameters of their own, such as `aadOptscim062020` of Microsoft Entra.
 */
export const scimForm: Guard = {
  handler: createMiddleware<AppEnv>(async (c, next) => {
    await next()
    const type = c.res.headers.get('content-type')
    if (type === null || type === scimMediaType) return
    const text = c.res.status < 400 ? c.res.body : asScimError(c.res.status, await c.res.json())
    c.res = new Response(text, c.res)
    c.res.headers.set('Content-Type', scimMediaType)
  }),
  errors: { body: scimError, mediaType: scimMediaType },
  bodyType: scimMediaType,
  isOpen: true,
}

function asScimError(status: number, body: Readonly<Record<string, Json>>): string {
  const { detail, hint, scimType, error: _kind, code: _code, ...fields } = body
  const messages = Object.entries(fields).flatMap(([field, texts]) =>
    [texts].flat().map((text) => `${field}: ${text}`),
  )
  const text = [detail, hint, ...messages].filter((one) => one !== undefined).join(' ')
  const kind = scimType ?? (status === 400 ? scimTypeOf(messages.length > 0) : undefined)
  return JSON.stringify({
    schemas: [scimErrorSchema],
    status: String(status),
    ...(kind === undefined ? {} : { scimType: kind }),
    detail: text,
  })
}

const scimTypeOf = (namesFields: boolean): string => (namesFields ? 'invalidValue' : 'invalidSyntax')
