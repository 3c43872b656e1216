/** How many values a change may lose: those that were there when its sender allowed it. D8. */
import type { Losing, LostValues } from '../providers/lost-values.ts'
import type { DdlStep } from '../providers/provider.ts'

/** The number of values of each field that may be lost; null: any number. Other fields lose none. */
export type AcceptedLosses = Readonly<Record<string, number | null>>

/** Returns a step with the values that it loses. */
export function withLosses(step: DdlStep, found: ReadonlyMap<string, LostValues | undefined>): DdlStep {
  const lost = step.losing && found.get(step.losing.field)
  if (!lost || (lost.count === 0 && lost.examined === undefined)) return step
  return { ...step, lost, destructive: step.destructive === true || lost.count > 0 }
}

/** Returns what may be lost by steps whose losses were examined. */
export const acceptedLosses = (steps: readonly DdlStep[], isAllowed: boolean): AcceptedLosses =>
  Object.fromEntries(
    steps.flatMap(({ losing, lost }) => (losing ? [[losing.field, acceptedOf(lost, isAllowed)]] : [])),
  )

function acceptedOf(lost: LostValues | undefined, isAllowed: boolean): number | null {
  if (!isAllowed || !lost) return 0
  return lost.examined === undefined ? lost.count : null
}

/** Returns how many values a conversion may lose. */
export const acceptedBy = (accepts: AcceptedLosses, losing: Losing | undefined): number | null =>
  losing && losing.field in accepts ? (accepts[losing.field] as number | null) : 0
