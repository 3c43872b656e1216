/** The scopes of an API key: the tables whose records and edges it may use, and the allowed actions. X1. */
import { AppError } from './errors.ts'

/** The possible actions on the records of a table. An edge belongs to the records that it connects. */
export const abilities = ['read', 'create', 'update', 'delete'] as const
export type Ability = (typeof abilities)[number]

/** The tables of an app, and the allowed actions. `*` means all tables. */
export interface Scope {
  app: string
  tables: readonly string[]
  can: readonly Ability[]
}

/** How an operation accepts API keys. */
export interface KeyUse {
  /** Whether it accepts keys without scopes. A4 */
  plain: boolean
  /**
   * The action that a key's scopes must allow on the table of the request. Null: it accepts no key with
   * scopes.
   */
  scoped: readonly Ability[] | null
}

/** Accepts no API key. */
export const noKeys: KeyUse = { plain: false, scoped: null }

/** The scopes of a key, as Postgres returns them. */
export interface KnownScopes {
  /** The number of their changes. */
  revision: number
  scopes: readonly Scope[]
}

/** Tells whether scopes allow something on a table. */
export const isAllowed = (scopes: readonly Scope[], app: string, table: string, ability: Ability): boolean =>
  scopes.some(
    (scope) =>
      scope.app === app &&
      (scope.tables.includes('*') || scope.tables.includes(table)) &&
      scope.can.includes(ability),
  )

/** The key of the request lacks a scope. */
export class ScopeMissing extends AppError {
  constructor(app: string, table: string, ability: Ability) {
    const scope: Scope = { app, tables: [table], can: [ability] }
    super(403, 'scope_missing', { detail: `The API key lacks the scope ${JSON.stringify(scope)}.` })
  }
}
