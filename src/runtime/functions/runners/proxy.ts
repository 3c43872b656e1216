/** Calls a client's server, with a signature in the form of Standard Webhooks. E2, E6, S8. */
import { Webhook } from 'standardwebhooks'
import { readJson } from '../../../kernel/lib/exact-json.ts'
import { storageProblem } from '../../../kernel/lib/storable.ts'
import { OutgoingFailure } from '../../../kernel/outgoing/failure.ts'
import { guardedFetch } from '../../../kernel/outgoing/fetch.ts'
import {
  belongElsewhere,
  decryptSecrets,
  type FunctionSecrets,
  signingSecretsAt,
} from '../function-secrets.ts'
import { type Attempt, type AttemptResult, failure, success } from './runner.ts'

/** The status with which a server rejects all further calls. */
const gone = 410

/** Runs an attempt of a function in `proxy` mode: one POST of the event. The result is the response body. */
export async function callProxy(attempt: Attempt): Promise<AttemptResult> {
  const { config, function: fn, timeoutMs } = attempt
  let secrets: FunctionSecrets
  try {
    secrets = await decryptSecrets(config, attempt.keys, { ...fn, sealed: fn.sealed ?? '' })
  } catch {
    return failure('The secrets of the function cannot be decrypted.')
  }
  if (belongElsewhere(secrets, fn.webhook_url))
    return failure('The headers were entered for another host. Enter them again.', { isFinal: true })
  try {
    const response = await guardedFetch(config, fn.webhook_url, requestOf(attempt, secrets), timeoutMs)
    if (response.ok) return resultOf(await response.text())
    return failure(`The server answered ${response.status}.`, { isFinal: response.status === gone })
  } catch (error) {
    return failure(
      error instanceof OutgoingFailure ? `The call failed: ${error.message}.` : 'The call failed.',
    )
  }
}

function requestOf({ keys, params, context, traceparent }: Attempt, secrets: FunctionSecrets): RequestInit {
  // The id is the same in every attempt, so that the server can recognize a repetition.
  const id = `run_${keys.siteId}_${context.invocation_id}`
  const now = new Date()
  const type = JSON.stringify(context.event ?? 'EXECUTE')
  const members = [
    `"type":${type}`,
    `"timestamp":"${now.toISOString()}"`,
    `"data":${params}`,
    `"context":${JSON.stringify(context)}`,
  ]
  const body = `{${members.join(',')}}`
  const signatures = signingSecretsAt(secrets, now).map((secret) => new Webhook(secret).sign(id, now, body))
  const headers = {
    ...(traceparent === undefined ? {} : { traceparent }),
    ...secrets.headers,
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  }
  return { method: 'POST', headers, body }
}

/** Returns the body as JSON if it is JSON, otherwise as text. An empty body is null. */
function resultOf(text: string): AttemptResult {
  let result: unknown = text
  try {
    result = text === '' ? null : readJson(text)
  } catch {
    // The text is not JSON, so it is the result itself.
  }
  const problem = storageProblem(result)
  return problem === undefined ? success(result) : failure(`The answer cannot be stored: ${problem}`)
}
