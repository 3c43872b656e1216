/** Guards that say who may call an operation in the request's site. Postgres checks it (db/tenant.ts). T5. */
import { createMiddleware } from 'hono/factory'
import type { RequestContext } from '../context.ts'
import { apiKeyNotAccepted, forbiddenToFunctions } from '../errors.ts'
import type { AppEnv } from '../http/app-env.ts'
import { detail } from '../http/openapi/bodies.ts'
import type { Guard } from '../http/openapi/describe.ts'
import type { Permission } from '../permissions.ts'
import { type Ability, type KeyUse, noKeys } from '../scopes.ts'

/**
 * Requires a permission in the request's site. Owners and admins of its organization have all permissions,
 * and `admin_site` implies all of them. An API key is accepted only as `keyUse` says. A4, X1.
 */
const requirePermission = (permission: Permission, keyUse: KeyUse = noKeys, adds?: Adds): Guard => ({
  handler: setPermission(permission, keyUse, { adds }),
  description: `Needs \`${permission}\` in the site.${keysDescription(keyUse)}`,
  ...(acceptsKeys(keyUse) ? { credentials: ['api-key'] } : {}),
  answers: { 403: detail, 404: detail },
})

const acceptsKeys = ({ plain, scoped }: KeyUse): boolean => plain || scoped !== null

function keysDescription({ plain, scoped }: KeyUse): string {
  if (scoped === null) return plain ? ' An API key with scopes is not accepted.' : ''
  const abilities = scoped.map((ability) => `\`${ability}\``).join(' and ')
  const needed = `An API key with scopes needs ${abilities || 'those of each operation'}`
  return plain ? ` ${needed}.` : ` ${needed}; one without is not accepted.`
}

type Adds = RequestContext['adds']

/**
 * Sets the checks of the request's first round trip: the permission, the use of API keys, whether guests may
 * enter, and the limits of the site.
 */
const setPermission = (
  permission: RequestContext['permission'],
  keyUse: KeyUse,
  { forGuests = false, adds }: { forGuests?: boolean; adds?: Adds } = {},
) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const ctx = c.get('ctx')
    if (ctx.apiKeyHash && !acceptsKeys(keyUse)) throw apiKeyNotAccepted()
    // A function has the rights of a key with scopes for all tables of its app.
    if (ctx.run && keyUse.scoped === null) throw forbiddenToFunctions()
    ctx.permission = permission
    ctx.keyUse = keyUse
    ctx.forGuests = forGuests
    ctx.adds = adds
    await next()
  })

/** API keys without scopes. A4 */
const plainKeys: KeyUse = { plain: true, scoped: null }
/** Accepts API keys whose scopes allow this on the table of the request. X1 */
const scopedKeys = (...scoped: Ability[]): KeyUse => ({ plain: false, scoped })

/** Everybody: each list that is followed is checked as a request for it. */
export const listFollowers: Guard = {
  handler: createMiddleware<AppEnv>((_c, next) => next()),
  description: 'Each list needs what a request for it needs, an API key the scope `read`.',
  credentials: ['api-key'],
}

/** Callers who may read apps, tables and records. */
export const siteReaders = requirePermission('access_site')
/** Callers who may list apps and tables. An API key with scopes lists those that it may read. */
export const schemaReaders = requirePermission('access_site', scopedKeys())
/**
 * Callers who may use tools. The request that a tool sends is checked itself. An API key may have scopes or
 * none.
 */
export const toolUsers = requirePermission('access_site', { plain: true, scoped: [] })
/** Callers who may read records and edges. */
export const recordReaders = requirePermission('access_site', scopedKeys('read'))
/**
 * Callers who may read records, and guests: all other callers, signed in or not. The access rules of the
 * tables define what guests see.
 */
export const recordVisitors: Guard = {
  ...recordReaders,
  handler: setPermission('access_site', scopedKeys('read'), { forGuests: true }),
  description:
    `${recordReaders.description} Others, signed in or not, are guests: they read what access rules of the ` +
    'tables allow. What no rule allows is 401 without credentials, and 403 with them.',
}
/** Requires `change_site`; for guests, an access rule of the table. */
function changersOrGuests(keyUse: KeyUse, adds?: Adds): Guard {
  const guard = requirePermission('change_site', keyUse)
  return {
    ...guard,
    handler: setPermission('change_site', keyUse, { forGuests: true, adds }),
    description:
      `${guard.description} Callers without \`access_site\`, signed in or not, are guests: they write what ` +
      'access rules of the table allow. What no rule allows is 401 without credentials, and 403 with them.',
  }
}

/** Callers who may create records, also with an API key; and guests. */
export const recordCreators = changersOrGuests({ plain: true, scoped: ['create'] }, 'records')
/** Callers who may create or change records, also with an API key; and guests. */
export const recordUpserters = changersOrGuests({ plain: true, scoped: ['create', 'update'] }, 'records')
/** Callers who may restore records: change existing ones, and create deleted ones again. */
export const recordRestorers = requirePermission('change_site', scopedKeys('create', 'update'), 'records')
/** Callers who may change edges, and guests. */
export const edgeWriters = changersOrGuests(scopedKeys('update'))
/** Callers who may change records, and guests. */
export const recordWriters = changersOrGuests(scopedKeys('update'))
/**
 * Callers who may write to several tables at once, and guests. Each operation needs the same scopes as in a
 * separate request.
 */
export const batchWriters = changersOrGuests(scopedKeys())
/** Callers who may delete records, and guests. */
export const recordDeleters = changersOrGuests(scopedKeys('delete'))
/**
 * Callers who may change the schema (apps, datasources, datatables), and secrets with their types and tags.
 * Only they may erase versions of records, so that callers who may only write records cannot remove their
 * traces.
 */
export const siteManagers = requirePermission('manage_site')
/** Callers who may list the subscribers of events, and subscribe, also with an API key. E7. */
export const eventSubscribers = requirePermission('access_site', plainKeys)
/** Callers who may run functions, also with an API key. */
export const functionCallers = requirePermission('change_site', plainKeys, 'invocations')
/** Callers who may change the questions and dashboards that the users of a site share. */
export const siteChangers = requirePermission('change_site')
/** Callers who may delete apps and datatables. */
export const siteDeleters = requirePermission('delete_site')

/** Owners of the site's organization, and superusers. Spec: Authentication 5. */
export const siteOwners: Guard = {
  handler: setPermission('owner', noKeys),
  description: "For owners of the site's organization, and superusers.",
  answers: { 403: detail, 404: detail },
}

/** All callers, signed in or not. The operation decides what they see. */
export const siteVisitors: Guard = { handler: setPermission(null, plainKeys), answers: { 404: detail } }
