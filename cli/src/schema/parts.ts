/** An app as parts: files in a folder, or tables, functions, subscriptions and secret types in a service. */

import { canonicalJson } from '../../../src/kernel/lib/canonical-json.ts'
import { sha256 } from '../../../src/kernel/lib/sha256.ts'
import type { AppPart, Members, TablePart } from '../../../src/operation/transfers/source/source.ts'
import type { SubscribedFunction } from '../../../src/operation/transfers/source/subscribed-function.ts'

/** A function: its settings, and its code, which is in its own file. */
export interface FunctionPart {
  settings: Members
  code: string
}

/** An app as parts. Tables, functions and secret types have their names in paths as keys. */
export interface Parts {
  app: AppPart
  tables: ReadonlyMap<string, TablePart>
  functions: ReadonlyMap<string, FunctionPart>
  /** The subscribed functions in the order of their slugs, by event. */
  subscriptions: Readonly<Record<string, readonly SubscribedFunction[]>>
  secretTypes: ReadonlyMap<string, Members>
  /** The roles of the site. */
  roles: ReadonlyMap<string, Members>
}

export type Kind = 'app' | 'secret type' | 'role' | 'table' | 'access rules' | 'function' | 'subscriptions'

/** Identifies a part, for example `table tools`; the app, its rules and the subscriptions need no name. */
export interface PartName {
  kind: Kind
  name: string
}

/** A part with its content. */
export interface Part extends PartName {
  content: unknown
}

/** Returns the name of a part, which is its key in comparisons. */
export const keyOf = ({ kind, name }: PartName): string => (name === '' ? kind : `${kind} ${name}`)

export function partsByKey(parts: Parts | undefined): Map<string, Part> {
  if (parts === undefined) return new Map()
  const { app: whole, tables, functions, subscriptions, secretTypes, roles } = parts
  const { rules = [], ...app } = whole
  const named = (kind: Kind, contents: ReadonlyMap<string, unknown>) =>
    [...contents].map(([name, content]) => ({ kind, name, content }))
  const all: Part[] = [
    { kind: 'app', name: '', content: app },
    ...named('secret type', secretTypes),
    ...named('role', roles),
    ...named('table', tables),
    ...(rules.length > 0 ? [{ kind: 'access rules' as const, name: '', content: rules }] : []),
    ...named('function', functions),
    { kind: 'subscriptions', name: '', content: subscriptions },
  ]
  return new Map(all.map((part) => [keyOf(part), part]))
}

/** Returns a hash of a content. It does not depend on the order of members. */
export const hashOf = (content: unknown): string => sha256(canonicalJson(content))

/** Returns the hashes of all parts by their keys. */
export const hashesOf = (parts: Parts | undefined): Record<string, string> =>
  Object.fromEntries([...partsByKey(parts)].map(([key, { content }]) => [key, hashOf(content)]))
