import type { Caller } from '../context.ts'
import { type Sql, sql } from './sql.ts'

/** A caller as the functions of the platform take it (the type public.caller): for nobody, one without an id. */
export const callerSql = (caller: Caller | null): Sql =>
  sql`row(${caller?.userId ?? null}, ${caller?.generation ?? null}, ${caller?.organizationId ?? null}, ${caller?.session ?? null})::public.caller`

/** A statement that fails with TS403 for a sign-in by a provider where the account is tied to another organization. S7. */
export const requireOwnSignIn = (caller: Caller): Sql => sql`select public.require_own_sign_in(${callerSql(caller)})`
