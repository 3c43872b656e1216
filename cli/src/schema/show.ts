/** Shows differences and plans to people. */
import type { Output } from '../terminal/output.ts'
import type { Difference } from './compare.ts'
import type { PlannedChange, Step } from './dry-run.ts'
import { keyOf } from './parts.ts'

const signs: Readonly<Record<Difference['action'], string>> = { create: '+', change: '~', delete: '-' }
const done: Readonly<Record<Difference['action'], string>> = {
  create: 'created',
  change: 'changed',
  delete: 'deleted',
}

/** Returns what happened to a part, as text. */
export const sentenceOf = (part: Difference): string => `${keyOf(part)} was ${done[part.action]}`

/** Prints a plan: each part with its steps, their SQL, lost values, and locks. */
export function showPlan(output: Output, plan: readonly PlannedChange[]): void {
  for (const change of plan) {
    const members =
      change.steps.length === 0 && change.members.length > 0 ? `: ${change.members.join(', ')}` : ''
    output.line(`${signs[change.action]} ${keyOf(change)}${members}`, 'bold')
    if (change.kind === 'table' && change.action === 'delete')
      output.line(
        '    The table is moved to the trash with its records. It can be restored for some ' + 'days.',
        'yellow',
      )
    if (change.waitsFor.length > 0)
      output.line(
        `    ${change.steps.length > 0 ? 'More steps' : 'Its steps'} are known when this is done: ` +
          `${change.waitsFor.join(', ')}.`,
        'dim',
      )
    for (const problem of change.problem?.split('\n') ?? []) output.line(`    REFUSED: ${problem}`, 'red')
    for (const step of change.steps) showStep(output, step)
  }
}

function showStep(output: Output, { description, sql, destructive, locks, blocksMs }: Step): void {
  const time = blocksMs === undefined ? '' : ` for about ${Math.ceil(blocksMs / 1000)} s`
  const marks = [...(destructive ? ['LOSES VALUES'] : []), ...(locks ? [`locks the table${time}`] : [])]
  output.line(
    `    ${description}${marks.length > 0 ? ` [${marks.join(', ')}]` : ''}`,
    destructive ? 'red' : undefined,
  )
  for (const line of sql.split('\n')) output.line(`      ${line.trim()}`, 'dim')
}

/** Returns whether a plan loses values, or deletes tables with records. */
export const loses = (plan: readonly PlannedChange[]): boolean =>
  plan.some(
    ({ kind, action, steps }) =>
      (kind === 'table' && action === 'delete') || steps.some(({ destructive }) => destructive),
  )
