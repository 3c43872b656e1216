/** Plans filters by named ranges: `period__overlaps=a,b`. D19. */
import { quoteValue } from '../../../kernel/lib/quote-value.ts'
import { parseConstant } from '../../model/constraints.ts'
import type { Field } from '../../model/field.ts'
import { boundsOf, isBefore } from '../../model/ranges.ts'
import type { Condition } from '../parse/ast.ts'
import type { Predicate } from '../predicate.ts'
import { type Problem, reader } from './compared-values.ts'
import type { Comparisons } from './comparison.ts'
import { misplacedQuote, splitList } from './keys.ts'
import type { End } from './path.ts'

/** The operator of ranges. */
export const overlaps = 'overlaps'

/** Returns the comparisons of a condition on a named range; undefined if its name is not that of a range. */
export function planRange(
  { table, rest, type }: End,
  { values, json }: Condition,
): Comparisons | Problem | undefined {
  const { ranges = {} } = table.schema
  const name = Object.keys(ranges).find((one) => rest === one || isBegun(one, rest))
  const pair = name === undefined ? undefined : ranges[name]
  if (name === undefined || !pair || type !== undefined || table.fields.has(rest)) return undefined
  const operator = rest.slice(name.length).replace(/^__?/, '')
  if (operator === '')
    return { problem: `"${name}" is a range. Write ${name}__${overlaps}=<beginning>,<end>.` }
  if (operator !== overlaps)
    return { problem: `Unknown operator ${quoteValue(operator)}. Operators of "${name}": ${overlaps}.` }
  const [from, to] = pair.map((one) => table.fields.get(one)) as [Field, Field]
  const of: Predicate[] = []
  for (const value of values) {
    const ends = endsOf(from, value, json)
    if ('problem' in ends) return ends
    of.push({ kind: 'overlaps', from, to, bounds: boundsOf(table.wholeSchema ?? table.schema, pair), ends })
  }
  return { of, isNegated: false, isAny: false }
}

/**
 * Tells whether a name has an operator after that of a range. After a single underscore, it must be known.
 * R2.
 */
const isBegun = (range: string, name: string): boolean =>
  name.startsWith(`${range}__`) || name === `${range}_${overlaps}`

type Ends = (Predicate & { kind: 'overlaps' })['ends']

/** Reads the two ends of a range. An end that is empty, or null in JSON, is open. */
function endsOf(field: Field, value: unknown, json: boolean): Ends | Problem {
  const parts =
    typeof value === 'string' ? splitList(value)?.map(({ text }) => (text === '' ? null : text)) : value
  if (parts === undefined) return { problem: misplacedQuote(value as string) }
  if (!Array.isArray(parts) || parts.length !== 2 || !(json || typeof value === 'string'))
    return { problem: 'The beginning and the end are required, for example a,b; a, and ,b are open.' }
  const read = reader(field.type)
  const texts: (string | null)[] = []
  for (const part of parts as unknown[]) {
    const text = part === null ? null : read(part)
    if (text === undefined)
      return {
        problem:
          `${quoteValue(part)} is not a value of "${field.name}", ` +
          `which is of type ${field.schema.type}.`,
      }
    texts.push(text)
  }
  const [from = null, to = null] = texts
  if (from === null && to === null) return { problem: 'At least one end of the range is required.' }
  const [low, high] = texts.map((text) => parseConstant(field.type, text))
  if (isBefore(field.type, high, low)) return { problem: 'The beginning must not be after the end.' }
  return [from, to]
}
