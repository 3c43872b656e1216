/** The results of a batch, one for each operation, built from the rows of the steps. */
import { type BatchRows, Rows } from '../../../kernel/db/batch.ts'
import { jsonMembers } from '../../../kernel/lib/json-members.ts'
import { kinds } from '../plan/kinds.ts'
import type { StepBatch, StepRow } from '../plan/steps.ts'
import type { Operation } from '../said.ts'

export interface OperationResult {
  status: 200 | 201 | 204
  operation: Operation
  /** The record or the edge, as JSON; undefined if it is not returned. */
  data: string | undefined
  /** The key, as JSON; undefined if it is not returned. */
  id: string | undefined
  /** The version of the record; null if it has none. */
  version: string | null
}

/**
 * Returns the results in the order of the operations. The names of the steps identify the operations of each.
 * `isMinimal`: with keys instead of records.
 */
export function resultsOf(
  operations: readonly Operation[],
  rows: BatchRows<StepBatch>,
  isMinimal: boolean,
): OperationResult[] {
  return Object.entries(rows).flatMap(([name, answer]) => {
    const [, first, last] = /^(\d+)-(\d+)$/.exec(name) ?? []
    if (first === undefined || last === undefined || !(answer instanceof Rows)) return []
    return stepResults(operations.slice(Number(first), Number(last) + 1), answer.one, isMinimal)
  })
}

function stepResults(operations: readonly Operation[], row: StepRow, isMinimal: boolean): OperationResult[] {
  const { data, ids, etag = null, created = 0 } = row
  const records = data ? jsonMembers(data) : []
  const keys = ids ? jsonMembers(ids) : []
  return operations.map((operation, position) => {
    const { status } = kinds[operation.op]
    const isDeletion = status === 204
    return {
      operation,
      status: created > 0 ? 201 : status,
      data: isMinimal ? undefined : records[position],
      id: isMinimal || isDeletion ? keys[position] : undefined,
      version: isDeletion ? null : etag,
    }
  })
}
