/**
 * Tells what Postgres calls immutable: an expression whose result depends on its operands alone, and neither
 * on the time nor on a setting such as the time zone. Computed columns, checks and indexes need that.
 */
import { ExpressionError } from '../../parse/expression/syntax.ts'
import type { Application, Expression } from './expression.ts'
import { date, datetime, localDatetime, string, type Type, time } from './types.ts'

/** Throws an ExpressionError at the first part whose result can change. */
export function requireImmutable(expression: Expression): void {
  if (expression.kind !== 'application') return
  const reason = changing(expression)
  if (reason) throw new ExpressionError(expression.at, reason)
  for (const operand of expression.of) requireImmutable(operand)
}

function changing({ name, type, of: [operand] }: Application): string | undefined {
  if (name === 'now') return 'now() is not possible here: its result changes by itself.'
  if (name === 'to_char')
    return 'to_char is not possible here: its result depends on settings. Use extract(…) and date_trunc(…).'
  if (/^(?:extract|date_trunc) /.test(name) && operand?.type === datetime)
    return `The ${partOf(name)} of an instant depends on the time zone. Write the zone: ${inZone}.`
  if (name === 'cast' && operand && changingCasts.get(operand.type)?.includes(type))
    return operand.type === datetime
      ? `This cast depends on the time zone. Write the zone: ${inZone}.`
      : `A cast from ${operand.type.name} to ${type.name} is not possible here: it depends on settings.`
  return undefined
}

const partOf = (name: string): string => name.split(' ')[1] ?? ''
const inZone = "(… at time zone 'Europe/Berlin')"

/** The casts of each type whose result depends on a setting. */
const changingCasts: ReadonlyMap<Type, readonly Type[]> = new Map([
  [string, [date, time, datetime, localDatetime]],
  [date, [string, datetime]],
  [datetime, [string, date, time, localDatetime]],
  [localDatetime, [string, datetime]],
])
