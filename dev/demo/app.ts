/** The parts of a demo app, and of its schemas. */
import type { Client } from '../client.ts'

export interface DemoApp {
  slug: string
  name: string
  description: string
  /** The tables, as resources of a data package. */
  resources: readonly { name: string }[]
  /** Tables of a second datasource, which keeps records as documents. */
  documents?: readonly { name: string }[]
  /** Rows by table, in an order that foreign keys allow. */
  rows(): [table: string, rows: Record<string, unknown>[]][]
  /** Edges by table. */
  edges?(): [table: string, edges: Record<string, unknown>[]][]
  /** Creates the other parts of the app, at `path`. Called until it succeeds once. */
  finish?(client: Client, path: string): Promise<void>
}

export const field = (
  name: string,
  type: string,
  constraints?: Record<string, unknown>,
  more: Record<string, unknown> = {},
) => ({
  name,
  type,
  ...(constraints ? { constraints } : {}),
  ...more,
})

export const reference = (name: string, resource: string, onDelete = 'RESTRICT') => ({
  fields: [name],
  reference: { resource, fields: ['id'] },
  'x-actions': { onDelete },
})

/** Returns a UUID made from a number. */
export const uuidOf = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
