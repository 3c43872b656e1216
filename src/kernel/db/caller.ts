/** Passes the caller to Postgres functions of the platform, as a value of the type public.caller. */
import type { Caller, RequestContext, SignIn } from '../context.ts'
import { type Sql, sql } from './sql.ts'

/** Tells whether a password has opened the sign-in, so that no provider has to. */
export const isByPassword = ({ methods }: SignIn): boolean => methods?.includes('pwd') ?? false

/** Returns a caller as SQL. A caller without an id stands for an anonymous request. */
export const callerSql = (
  caller: (SignIn & Pick<Caller, 'session'>) | null,
  request?: Pick<RequestContext, 'requestId' | 'clientRequestId' | 'address'>,
): Sql =>
  sql`row(${caller?.userId ?? null}, ${caller?.generation ?? null}, ${caller?.organizationId ?? null},
          ${caller?.session ?? null}, ${request?.requestId ?? null}, ${request?.address ?? null},
          ${caller?.host ?? null}, ${caller !== null && isByPassword(caller)},
          ${request?.clientRequestId ?? null})::public.caller`

/** Returns the caller of a request as SQL, with the ids and the address that the audit records. */
export const callerOf = (ctx: RequestContext): Sql => callerSql(ctx.caller, ctx)

/**
 * Returns a statement that fails with TS403 if the caller signed in with an identity provider of an
 * organization, and the account belongs to another organization. S7.
 */
export const requireOwnSignIn = (caller: Caller): Sql =>
  sql`select public.require_own_sign_in(${callerSql(caller)})`

/** Locks the caller's account, so that concurrent requests change its data one after the other. */
export const lockAccount = ({ userId }: Caller): Sql =>
  sql`select u.id from public.users u where u.id = ${userId} for no key update`

/** The id of the caller in the entry of the transaction; null if the entry had none. Valid after entering. */
export const enteredCallerId = sql`nullif(current_setting('tessera.caller', true), '')::bigint`

/**
 * The place in the chain of causes of the runs that the transaction causes. Valid after entering; `note_run`
 * sets it for requests of functions.
 */
export const enteredDepth = sql`coalesce(nullif(current_setting('tessera.depth', true), '')::integer, 1)`

/**
 * Returns the principal of a request. Data that is kept for it, such as answers and cursors, is not available
 * to others. A function that runs as its caller has a different principal for each caller.
 */
export const principalOf = ({ caller, apiKeyHash, run }: RequestContext): string => {
  const user = `user ${caller?.userId}`
  if (run) return `function ${run.siteId} ${run.functionId} as ${run.as} ${user}`
  return apiKeyHash ? `key ${apiKeyHash}` : user
}
