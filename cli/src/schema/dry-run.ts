/** The dry runs of the service that a plan consists of, and the changes that explain why one fails. */
import { type Client, TesseraError } from '../../../client/src/index.ts'
import { isReference, type Members, type TablePart } from '../../../src/operation/transfers/source/source.ts'
import type { Comparison, Difference } from './compare.ts'
import type { Parts } from './parts.ts'
import type { ServiceApp } from './read-service.ts'

/** A step in Postgres, as the service plans it. */
export interface Step {
  description: string
  sql: string
  /** Whether values of records are lost. */
  destructive: boolean
  /** Whether readers and writers of the table wait during the step. */
  locks: boolean
  /** About how many milliseconds they wait, if that is long. */
  blocksMs: number | undefined
}

/** The action on a part. */
export interface PlannedChange extends Difference {
  steps: readonly Step[]
  /** The members that change, if the part has no steps in Postgres. */
  members: readonly string[]
  /** The tables that must change first, because the service cannot plan this one before. */
  waitsFor: readonly string[]
  /** Why the service rejects the change, one reason a line; undefined if it does not. */
  problem?: string
}

/** The data for a plan. */
export interface Planning {
  client: Client
  app: string
  files: Parts
  service: ServiceApp | undefined
  /** The site whose roles can be read and replaced. Undefined: they cannot. */
  site: string | undefined
  comparison: Comparison
}

/** The response to a dry run. */
export interface DryRun {
  changes: {
    operation: string
    description: string
    sql: string
    destructive: boolean
    online?: boolean
    blocks_ms?: number
  }[]
  /** For a deletion: all tables that would be deleted. */
  datatables?: string[]
}

type Answer = Pick<PlannedChange, 'steps' | 'waitsFor'> & {
  problem?: string
  datatables?: string[]
}

/** Requests a dry run. An error is a problem, unless changed `related` tables explain it. */
export async function planned(ask: () => Promise<DryRun>, related: readonly string[]): Promise<Answer> {
  try {
    const { changes, datatables } = await ask()
    return { steps: changes.map(asStep), waitsFor: [], ...(datatables ? { datatables } : {}) }
  } catch (error) {
    if (!(error instanceof TesseraError) || ![400, 409, 422].includes(error.status)) throw error
    if (related.length > 0) return { steps: [], waitsFor: related }
    const problem = Object.values(error.messages).flat().join('\n')
    return { steps: [], waitsFor: [], problem: problem || error.message }
  }
}

const asStep = (step: DryRun['changes'][number]): Step => ({
  description: step.description,
  sql: step.sql,
  destructive: step.destructive,
  locks: step.operation !== 'create_table' && !step.online,
  blocksMs: step.blocks_ms,
})

/**
 * Returns the other changed tables that are connected to these by foreign keys, before or after the change.
 */
export function relatedChanges({ files, service, comparison }: Planning, names: readonly string[]): string[] {
  const changing = new Set(
    comparison.differences.flatMap((one) =>
      one.kind === 'table' && !names.includes(one.name) ? [one.name] : [],
    ),
  )
  const tables = [files.tables, service?.parts.tables ?? new Map<string, TablePart>()]
  const targets = tables.flatMap((all) => names.flatMap((name) => referencesOf(all.get(name))))
  const sources = tables.flatMap((all) =>
    [...all].flatMap(([other, table]) =>
      referencesOf(table).some((target) => names.includes(target)) ? [other] : [],
    ),
  )
  return [...new Set([...targets, ...sources])].filter((other) => changing.has(other)).toSorted()
}

/** Returns the tables that the foreign keys of a table reference. */
export function referencesOf(table: TablePart | undefined): string[] {
  if (!table || isReference(table)) return []
  const { foreignKeys } = table.schema
  if (!Array.isArray(foreignKeys)) return []
  return foreignKeys.map(targetOf)
}

/** Returns the table that a foreign key references. */
export const targetOf = (key: Members): string => String((Object(key.reference) as Members).resource ?? '')
