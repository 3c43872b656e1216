/** Evaluates the filter conditions before an attempt for an event. E4. */
import { passes, reasonOf } from '../filter.ts'
import { type Attempt, type AttemptResult, failure, skipped } from './runner.ts'

/** The members of an attempt that conditions need. */
interface Filtered {
  function: Pick<Attempt['function'], 'filter_conditions'>
  params: string
  context: Pick<Attempt['context'], 'event' | 'user'>
}

/** Returns the result of an attempt that the filter conditions prevent; undefined if they are true. */
export function filteredOut({ function: fn, params, context }: Filtered): AttemptResult | undefined {
  if (context.event === null) return undefined
  try {
    return passes(fn.filter_conditions, params, context.user, new Date()) ? undefined : skipped(null)
  } catch (error) {
    return failure(`The filter conditions cannot be evaluated: ${reasonOf(error)}`, { isFinal: true })
  }
}
