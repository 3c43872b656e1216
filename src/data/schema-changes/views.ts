/** Creates the answers of schema changes. */
import { type DdlStep, scriptOf, sqlOf } from '../providers/provider.ts'
import type { Change, Operation } from './schema.ts'

/** Returns a planned step, as a dry run shows it. D13. */
export const asChange = (step: DdlStep): Change => ({
  operation: step.operation,
  description: step.description,
  sql: sqlOf(step),
  rollback_sql: scriptOf(step.rollback),
  destructive: step.destructive ?? false,
  ...(step.lost ? { lost: { ...step.lost, samples: [...step.lost.samples] } } : {}),
  ...(step.onlinePhase ? { online: true } : {}),
  ...(step.blocksMs === undefined ? {} : { blocks_ms: step.blocksMs }),
})

/** A row of the operation history. */
export type OperationRow = Omit<Operation, 'progress'> & { progress: Operation['progress'] | null }

/** Returns an operation of the history. */
export const asOperation = (row: OperationRow): Operation => ({
  id: row.id,
  operation_type: row.operation_type,
  description: row.description,
  sql: row.sql,
  rollback_sql: row.rollback_sql,
  status: row.status,
  execution_time_ms: row.execution_time_ms,
  ...(row.progress ? { progress: row.progress } : {}),
  created_at: row.created_at,
  migration_id: row.migration_id,
})
