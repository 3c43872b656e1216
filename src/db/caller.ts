/** A caller as the functions of the platform take it: the type public.caller. */
import type { Caller, RequestContext } from '../context.ts'
import { type Sql, sql } from './sql.ts'

/** Who somebody is. For nobody, a caller without an id. */
export const callerSql = (caller: Caller | null, requestId: string | null = null, address: string | null = null): Sql =>
  sql`row(${caller?.userId ?? null}, ${caller?.generation ?? null}, ${caller?.organizationId ?? null}, ${caller?.session ?? null},
          ${requestId}, ${address})::public.caller`

/** Whoever makes a request, and which one it is: for what enters, and for what is noted in the audit. */
export const callerOf = ({ caller, requestId, address }: RequestContext): Sql => callerSql(caller, requestId, address)

/** A statement that fails with TS403 for a sign-in by a provider where the account is tied to another organization. S7. */
export const requireOwnSignIn = (caller: Caller): Sql => sql`select public.require_own_sign_in(${callerSql(caller)})`
