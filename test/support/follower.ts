/** Follows a list as a client does: it reads the stream, and applies each change as the guide says. */

/** An event of a stream. */
interface LiveEvent {
  event: string
  id: string | undefined
  /** When it came, in the milliseconds of performance.now. */
  at: number
  // biome-ignore lint/suspicious/noExplicitAny: tests assert whole bodies of many shapes
  data: any
}

type Item = Record<string, unknown>

/** A follower of one list. */
export interface Follower {
  events: LiveEvent[]
  /** The list as the follower has it. */
  records(): Item[]
  total(): unknown
  /** Waits for an event after the first `after` ones; throws after some seconds. */
  next(event: string, after?: number): Promise<LiveEvent>
  /** Whether the stream has ended. */
  ended: Promise<void>
  close(): void
}

const waitMs = 8_000

/** Opens a stream. Throws an error with the status and the body if it is refused. */
export async function follow(
  url: string,
  {
    headers = {},
    body,
    key = ['id'],
  }: { headers?: Record<string, string>; body?: unknown; key?: string[] } = {},
): Promise<Follower> {
  const abort = new AbortController()
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'text/event-stream',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: abort.signal,
  })
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  const events: LiveEvent[] = []
  const keyOf = (record: Item) =>
    JSON.stringify(key.length === 1 ? record[key[0] ?? ''] : key.map((k) => record[k]))
  let records: Item[] = []
  let total: unknown
  const apply = ({ event, data }: LiveEvent) => {
    if (event === 'list') records = data.data
    if (event === 'list' || 'total' in data) total = data.total
    if (event !== 'change') return
    const left = new Set(data.left.map((one: unknown) => JSON.stringify(one)))
    records = records.filter((record) => !left.has(keyOf(record)))
    for (const changed of data.changed)
      records = records.map((record) => (keyOf(record) === keyOf(changed) ? changed : record))
    for (const { at, record } of data.entered) records.splice(at, 0, record)
    if (data.order) {
      const byKey = new Map(records.map((record) => [keyOf(record), record]))
      records = data.order.map((one: unknown) => byKey.get(JSON.stringify(one)) as Item)
    }
  }
  const read = async () => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(part, { stream: true })
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const lines = text.slice(0, end).split('\n')
        text = text.slice(end + 2)
        const valueIn = (name: string) =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
        const event = valueIn('event')
        if (event === undefined) continue
        const one = {
          event,
          id: valueIn('id'),
          at: performance.now(),
          data: JSON.parse(valueIn('data') ?? 'null'),
        }
        events.push(one)
        apply(one)
      }
    }
  }
  return {
    events,
    records: () => records,
    total: () => total,
    async next(event, after = 0) {
      for (const deadline = Date.now() + waitMs; Date.now() < deadline; ) {
        const found = events.slice(after).find((one) => one.event === event)
        if (found) return found
        await new Promise((again) => setTimeout(again, 10))
      }
      throw new Error(`No ${event} after ${after}: ${JSON.stringify(events)}`)
    },
    ended: read().catch(() => undefined),
    close: () => abort.abort(),
  }
}
