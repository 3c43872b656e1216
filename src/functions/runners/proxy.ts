/** Calls a client's server, signed as Standard Webhooks says. E2, E6, S8. */
import { Webhook } from 'standardwebhooks'
import { readJson } from '../../lib/exact-json.ts'
import { storageProblem } from '../../lib/storable.ts'
import { OutgoingFailure } from '../../outgoing/failure.ts'
import { guardedFetch } from '../../outgoing/fetch.ts'
import { open, type Sealed } from '../sealed.ts'
import { failure, type Outcome, type Run, success } from './runner.ts'

/** Whoever answers so wants no more of it. */
const gone = 410

export async function callProxy(run: Run): Promise<Outcome> {
  const { config, keys, function: fn, context } = run
  let sealed: Sealed
  try {
    sealed = await open(config, keys, { ...fn, sealed: fn.sealed ?? '' })
  } catch {
    return failure('The secrets of the function cannot be read.')
  }
  // The same in every attempt, so that the server can tell a repetition.
  const id = `run_${keys.siteId}_${context.invocation_id}`
  const now = new Date()
  const type = JSON.stringify(context.event ?? 'EXECUTE')
  const body = `{"type":${type},"timestamp":"${now.toISOString()}","data":${run.params},"context":${JSON.stringify(context)}}`
  const headers = {
    ...sealed.headers,
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(sealed.signing_secret).sign(id, now, body),
  }
  try {
    const call = { method: 'POST', headers, body }
    const response = await guardedFetch(config, fn.webhook_url, call, run.timeoutMs)
    if (!response.ok) return failure(`The server answered ${response.status}.`, [], response.status === gone)
    return resultOf(await response.text())
  } catch (error) {
    return failure(error instanceof OutgoingFailure ? `The call failed: ${error.message}.` : 'The call failed.')
  }
}

/** JSON where it is some, else the text. */
function resultOf(text: string): Outcome {
  let result: unknown = text
  try {
    result = text === '' ? null : readJson(text)
  } catch {
    // It is a text.
  }
  const problem = storageProblem(result)
  return problem === undefined ? success(result) : failure(`The answer cannot be stored: ${problem}`)
}
