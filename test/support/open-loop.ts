/** Load that does not wait for answers. Clients that wait cannot see that a queue never becomes empty again. */

/** An answered request. Times are in milliseconds; `sentMs` counts from the begin of the load. */
export interface Answered {
  status: number
  sentMs: number
  tookMs: number
}

interface Load {
  /** How many requests a second are sent, evenly. */
  perSecond: number
  seconds: number
  /** Requests that are sent at once in between. */
  burst: { count: number; afterSeconds: number }
}

/** Sends requests, each of which returns its status. Returns them in the order of their answers. */
export async function openLoop(
  send: () => Promise<number>,
  { perSecond, seconds, burst }: Load,
): Promise<Answered[]> {
  const began = performance.now()
  const elapsedMs = () => performance.now() - began
  const answered: Answered[] = []
  const sent: Promise<void>[] = []
  const sendOne = async () => {
    const sentMs = elapsedMs()
    const status = await send()
    answered.push({ status, sentMs, tookMs: elapsedMs() - sentMs })
  }
  while (elapsedMs() < seconds * 1000) {
    const ofBurst = elapsedMs() >= burst.afterSeconds * 1000 ? burst.count : 0
    const due = ofBurst + Math.floor((elapsedMs() * perSecond) / 1000)
    while (sent.length < due) sent.push(sendOne())
    await new Promise((done) => setTimeout(done, 2))
  }
  await Promise.all(sent)
  return answered
}

/** Returns the median time of the requests that were sent between two times. */
export function medianOf(answered: readonly Answered[], fromMs: number, toMs: number): number {
  const took = answered.flatMap(({ sentMs, tookMs }) => (sentMs >= fromMs && sentMs < toMs ? [tookMs] : []))
  return took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)] ?? Number.NaN
}
