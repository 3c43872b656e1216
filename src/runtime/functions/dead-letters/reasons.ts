/** The reasons why invocations fail permanently: one row for each, with advice. */
import { join, type Sql, sql } from '../../../kernel/db/sql.ts'

interface Explained {
  /** Patterns of `like` for the errors with which the service ends invocations. */
  errors: readonly string[]
  advice: string
}

const reasons = {
  function_deleted: {
    errors: ['The function has been deleted.'],
    advice: 'A replay would fail again. It will be deleted after the retention period.',
  },
  chain_too_deep: {
    errors: ['The chain of causes is deeper than %'],
    advice: 'Functions trigger each other in a cycle. Break the cycle before you replay it.',
  },
  over_limit: {
    errors: ['The site has reached its limit of %'],
    advice: 'Replay it after the limit was raised, or in the next month.',
  },
  interrupted: {
    errors: ['The attempt was interrupted.'],
    advice: 'The Worker was lost during the run. Replay it if the function may run twice.',
  },
  timeout: {
    errors: ['The function took longer than %', 'The function had to wait for a free process%'],
    advice: 'Make the function faster or raise its timeout_seconds, then replay it.',
  },
  resources: {
    errors: ['The function used more than %'],
    advice: "Reduce the function's use of CPU time or memory, then replay it.",
  },
  conditions: {
    errors: ['The filter conditions cannot be evaluated:%'],
    advice: 'Correct filter_conditions, then replay it.',
  },
  server_answer: {
    errors: ['The server answered %'],
    advice: 'Find out why your server rejected the call, then replay it.',
  },
  call_failed: {
    errors: ['The call failed%'],
    advice: 'Your server could not be reached. Replay it when the server is reachable again.',
  },
  secrets: {
    errors: ['The secrets of the function cannot be %'],
    advice: 'Store the secrets of the function again, then replay it.',
  },
  result: {
    errors: ['The result is more than %', 'The result cannot be stored:%', 'The answer cannot be stored:%'],
    advice: 'Return a smaller result, or valid JSON, then replay it.',
  },
  error: {
    errors: [],
    advice: 'The code threw an error. Correct the function, then replay it.',
  },
} as const satisfies Record<string, Explained>

/** A reason why an invocation fails permanently. */
export type Reason = keyof typeof reasons

/** All reasons. The last one is for errors that match no other reason. */
export const reasonNames = Object.keys(reasons) as [Reason, ...Reason[]]

/** Returns advice for invocations that failed for a reason. */
export const adviceFor = (reason: Reason): string => reasons[reason].advice

/** The reason of the invocation `i`. */
export const reasonColumn: Sql = sql`case ${join(
  Object.entries(reasons).flatMap(([reason, { errors }]) =>
    errors.map((pattern) => sql`when i.error like ${pattern} then ${reason}`),
  ),
  sql` `,
)} else ${reasonNames.at(-1) ?? null} end`
