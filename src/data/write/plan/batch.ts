/** Plans a batch: its operations in their order, as steps that each do as many of them as possible. */

import type { RequestContext } from '../../../kernel/context.ts'
import { ProblemList } from '../../../kernel/lib/problem-list.ts'
import type { Catalog } from '../../catalog/load-catalog.ts'
import type { RecordsBody } from '../../failures/body.ts'
import { invalidRecords } from '../../failures/errors.ts'
import { workBudget } from '../../model/constraints.ts'
import { versionsIn } from '../../model/entity-tag.ts'
import type { Table } from '../../model/table.ts'
import { refuseInMongodb } from '../../providers/mongodb/capabilities.ts'
import { isAmong } from '../../providers/writes/lock.ts'
import { nameOf, type Operation } from '../said.ts'
import type { Joining } from './joining.ts'
import { kinds, planStep } from './kinds.ts'
import { noOptions, type Options, type Render } from './records.ts'
import { type NamedRecords, nameIn, takingFor } from './references.ts'
import { changingError, type NamedStep, withName } from './steps.ts'
import { asTrial, type Target, targetOf } from './target.ts'
import { noteWritten } from './written-tables.ts'

/** Operations that one statement does together. */
interface Group {
  target: Target
  operations: [Operation, ...Operation[]]
  joining: Joining
  /** The keys of its records. Each may occur only once. */
  keys: Set<string>
}

/** The problem of an operation. */
interface OperationProblem {
  /** Its position in the batch. */
  index: number
  field: string
  message: string
}

export interface Batch {
  catalog: Catalog
  app: string
  operations: readonly Operation[]
  /** Whether the answer contains keys instead of records. */
  isMinimal: boolean
  /**
   * Whether the answer contains the record of an operation. Omitted: true for all, unless it contains keys.
   */
  isShown?(operation: Operation): boolean
  /** Whether each operation is a separate step. */
  isSplit?: boolean
  /** Whether everything is rolled back in the end. */
  isDry?: boolean
  /** Whether changes of one table may exchange unique values. Then they run together. */
  shifts?: boolean
  /** The references that records may have. Omitted: any. */
  references?: ReadonlySet<object>
  /** Problems that were found before. */
  problems?: readonly OperationProblem[]
}

/**
 * Returns the steps. Throws the error that the first failing operation would get on its own, with the name of
 * the operation.
 */
export function planBatch(ctx: RequestContext, batch: Batch): NamedStep[] {
  const groups = groupsOf(batch)
  for (const { target, operations } of groups)
    noteWritten(
      ctx,
      target,
      operations.every(({ op }) => op === 'create'),
    )
  const { isMinimal, isShown = () => !isMinimal, references } = batch
  const names = recordsByName(groups)
  const problems = new ProblemList()
  for (const { field, message, ...at } of batch.problems ?? [])
    problems.add(field, `${nameOf(at)}: ${message}`)
  const work = workBudget()
  const sources = new Set<number>()
  const steps: NamedStep[] = []
  const changedOf = (table: Table) => () =>
    isAmong(
      table,
      steps.flatMap((step) => step.known?.() ?? []).filter((known) => known.table.id === table.id),
    )
  const renders = groups.map(({ target, operations: own }, step): Render => {
    const taking = takingFor(step, names, references)
    const render = named(own[0], () =>
      planStep(own[0].op, {
        ...{ ctx, target, taking, problems, work },
        body: bodyOf(own, target.table, problems),
        options: optionsOf(ctx, own[0]),
        changed: changedOf(target.table),
      }),
    )
    for (const taken of taking.taken) sources.add(taken.step)
    return render
  })
  if (!problems.isEmpty) throw invalidRecords(problems.details())
  for (const [step, render] of renders.entries()) {
    const own = (groups[step] as Group).operations
    const returnsRecords = sources.has(step) || own.some(isShown)
    steps.push({
      name: stepName(own),
      ...render({ returnsRecords, returnsKeys: isMinimal }),
    })
  }
  return steps
}

/** Groups consecutive operations that one statement can run. */
function groupsOf({
  catalog,
  app,
  operations,
  isSplit = false,
  isDry = false,
  shifts = false,
}: Batch): Group[] {
  const groups: Group[] = []
  for (const operation of operations) {
    const path = { app, table: operation.table }
    const found = named(operation, () => targetOf(catalog, path, kinds[operation.op].action))
    named(operation, () => refuseInMongodb(found.table, 'batch'))
    const target = { ...(isDry ? asTrial(found) : found), isSecond: shifts }
    const joining = named(operation, () =>
      kinds[operation.op].joining(operation, { table: target.table, shifts }),
    )
    const last = groups.at(-1)
    if (last && !isSplit && canJoin(last, operation, joining)) {
      last.operations.push(operation)
      last.joining = joining
    } else groups.push({ target, operations: [operation], joining, keys: new Set() })
    if (joining.once !== undefined) groups.at(-1)?.keys.add(joining.once)
  }
  return groups
}

function canJoin({ joining, keys, operations }: Group, operation: Operation, own: Joining): boolean {
  if (own.with === null || own.with !== joining.with || joining.isLast) return false
  if (own.once !== undefined && keys.has(own.once)) return false
  const used = [operation.id, ...Object.values(operation.data)].map(nameIn)
  return !operations.some(({ as }) => as !== undefined && used.includes(as))
}

/** Returns the records of named operations. Later operations use the fields that the caller may read. */
const recordsByName = (groups: readonly Group[]): NamedRecords =>
  new Map(
    groups.flatMap(({ target: { shown }, operations }, step) =>
      operations.flatMap(({ as }, position) =>
        as === undefined ? [] : [[as, { step, position, table: shown }] as const],
      ),
    ),
  )

/** Returns the name of a step: the positions of its first and its last operation. */
const stepName = (operations: readonly Operation[]): string =>
  `${operations[0]?.index}-${operations.at(-1)?.index}`

/** Returns the records of the operations of a step. Adds each problem to `problems`. */
function bodyOf(operations: readonly Operation[], table: Table, problems: ProblemList): RecordsBody {
  const records = operations.map((operation) =>
    named(operation, () => kinds[operation.op].recordOf(operation, table, problems)),
  )
  return {
    records,
    bulk: records.length > 1,
    text: JSON.stringify(records),
    nameOf: (index) => nameOf(operations[index] as Operation),
  }
}

/** Returns the options of an operation. */
const optionsOf = ({ config }: RequestContext, operation: Operation): Options => ({
  ...noOptions,
  includeDeleted: operation.include_deleted,
  hardDelete: operation.hard_delete,
  ifMatch: versionsIn(config, operation.if_match),
  uniqueFields: operation.unique_fields,
})

/** Runs a part of the plan, and puts the name of the operation before its error. */
const named = <Result>(operation: Operation, run: () => Result): Result =>
  changingError(run, (error) => withName(error, nameOf(operation)))
