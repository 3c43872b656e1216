/** The result of an attempt in an isolate, parsed from the isolate's response. E2. */
import * as z from 'zod'
import { storableText, storageProblem } from '../../../kernel/lib/storable.ts'
import { readMails } from '../mails/schema.ts'
import { type AttemptResult, failure, type LogLine, success } from './runner.ts'

const resultBytesMax = 1024 * 1024

const logLine = z.object({ at: z.string().max(30), level: z.string().max(10), message: z.string() })
const isolateResponse = z.object({
  result: z.unknown().optional(),
  error: z.string().optional(),
  logs: z.array(logLine),
  mails: z.array(z.unknown()).default([]),
})

/** Reads the isolate's response, which can be any text. `hide` hides secrets in its texts. */
export function resultOf(text: string, hide: (text: string) => string): AttemptResult {
  let response: z.infer<typeof isolateResponse>
  try {
    response = isolateResponse.parse(JSON.parse(text))
  } catch {
    return failure('The response of the isolate is not in the expected form.')
  }
  const logs: LogLine[] = response.logs.map(({ at, level, message }) => ({
    at: storableText(at),
    level: storableText(level),
    message: storableText(hide(message)),
  }))
  if (response.error !== undefined) return failure(explained(hide(response.error)), { logs })
  const result = response.result ?? null
  if (JSON.stringify(result).length > resultBytesMax)
    return failure(`The result is more than ${resultBytesMax} bytes.`, { logs })
  const problem = storageProblem(result)
  if (problem !== undefined) return failure(`The result cannot be stored: ${problem}`, { logs })
  // Another attempt would repeat what the run has done, and fail in the same way.
  const mails = readMails(response.mails)
  if (typeof mails === 'string') return failure(mails, { logs, isFinal: true })
  return success(result, logs, mails)
}

/** Returns what the author of a function can do about an error of workerd; other errors unchanged. */
const explained = (error: string): string =>
  error.includes('not permitted to access the internet')
    ? 'The function may not use the network, because it lists no hosts. Name them in allowed_hosts.'
    : error
