/** The body of a call of an isolate. */
import type { InvocationContext } from './runner.ts'

/** The input of one run. */
export interface IsolateInput {
  /** The text of the JSON of the function's first argument. */
  params: string
  context: InvocationContext
  /** The values of the declared secrets, by key; null: neither the app nor the site has the secret. */
  secrets: readonly (readonly [key: string, value: unknown])[]
  variables: Readonly<Record<string, string>>
  /** The time limit of the run. */
  timeoutMs: number
  /** Whether the app or the site has a mail server of its own. */
  ownMail: boolean
}

/** Returns the JSON that sandbox/entry.js reads. `params` is JSON already, and is not parsed. */
export const isolateBody = ({ params, context, ...input }: IsolateInput): string =>
  `{"params":${params},"context":${JSON.stringify(context)},${JSON.stringify(input).slice(1)}`
