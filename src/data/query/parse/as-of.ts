/** Parses `as_of`: the time at which records are read. */

import { isDatetime } from '../../../kernel/lib/date-texts.ts'
import { quoteValue } from '../../../kernel/lib/quote-value.ts'
import type { Problems } from '../problems.ts'
import { asOfParameter, once } from './parse.ts'

/** Returns the time as it was sent; undefined if there is none. Adds each problem to `problems`. */
export function parseAsOf(parameters: URLSearchParams, problems: Problems): string | undefined {
  const text = once(parameters, asOfParameter, problems)
  if (text === undefined || isDatetime(text)) return text
  problems.add(
    asOfParameter,
    `A date and time is required, for example 2026-01-31T18:30:00Z; ${quoteValue(text)} is not.`,
  )
  return undefined
}

/** Adds a problem if `as_of` is combined with a traversal. */
export function rejectAsOf(parameters: URLSearchParams, problems: Problems): void {
  if (parameters.has(asOfParameter))
    problems.add(asOfParameter, 'Not possible with a traversal, because edges have no history.')
}
