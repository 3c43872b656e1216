/** The requests of a call that have not ended. A run waits for those that its code does not await. */
import { addLine, currentCall } from './lines.js'

/** The most milliseconds of a run's time that are left for its response. */
const reserveMs = 500

/** Adds a request to the current call until it ends. Returns its outcome. */
export function during(request) {
  const open = currentCall()?.requests
  if (!open) return request
  const end = () => open.delete(ended)
  const ended = request.then(end, end)
  open.add(ended)
  // `request` has a handler now. Without a second promise, its rejection would count as handled.
  return request.then((outcome) => outcome)
}

/** Waits until all requests of the current call have ended, at most for the time that its run has left. */
export async function requestsEnded(leftMs) {
  const { requests } = currentCall()
  const ended = allEnded(requests)
  if (requests.size === 0) return ended
  const waitMs = Math.max(0, leftMs - Math.min(reserveMs, leftMs / 4))
  await Promise.race([ended, scheduler.wait(waitMs)])
  if (requests.size > 0) addLine('error', `Requests that were not awaited and did not end: ${requests.size}`)
}

async function allEnded(requests) {
  do {
    await Promise.all(requests)
    // After one turn of the event loop, the rejections that the code does not handle are known.
    await new Response('').text()
  } while (requests.size > 0)
}

const { fetch } = globalThis
globalThis.fetch = (...sent) => during(fetch(...sent))
