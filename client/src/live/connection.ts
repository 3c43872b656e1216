/** Follows lists: all lists of a client in one stream, which is opened again when it ends. */
import { TesseraError } from '../connection/errors.ts'
import { sleep } from '../connection/retry.ts'
import type { Transport } from '../connection/transport.ts'
import { applied, type LiveList } from './apply.ts'
import { eventsOf, type LiveEvent } from './events.ts'

type Item = Readonly<Record<string, unknown>>

/** What a follower hears: a list, or why there will be none any more. */
interface Listener {
  next(list: LiveList<Item>): void
  fail(error: Error): void
}

/** A list that is followed, with what is known of it. */
interface Followed {
  /** Its name in the stream. */
  name: string
  path: string
  listeners: Set<Listener>
  list: LiveList<Item> | undefined
  key: readonly string[]
  since: string | undefined
  /** How often it has ended since it was last heard of. */
  ends: number
}

/** The codes with which a stream ends only to be opened again. */
const renewing: ReadonlySet<string> = new Set(['renew', 'busy', 'unavailable'])
/** After a lost connection, clients come back at random within so many ms, and later within so many. */
const [soonMs, laterMs] = [1_000, 10_000]
/** Lists that are added at the same time share the next stream. */
const gatherMs = 5

/** The stream of one client. */
class LiveConnection {
  readonly #transport: Transport
  readonly #lists = new Map<string, Followed>()
  #running: Promise<void> | undefined
  /** Ends the present stream, because other lists are followed now. */
  #restart = new AbortController()
  #lost = 0
  #count = 0

  constructor(transport: Transport) {
    this.#transport = transport
  }

  get size(): number {
    return this.#lists.size
  }

  has(path: string): boolean {
    return this.#lists.has(path)
  }

  /** Follows a path. Returns the function that ends it. */
  follow(path: string, listener: Listener): () => void {
    let one = this.#lists.get(path)
    if (!one) {
      const name = String(++this.#count)
      one = { name, path, listeners: new Set(), list: undefined, key: [], since: undefined, ends: 0 }
      this.#lists.set(path, one)
      this.#restart.abort()
    }
    one.listeners.add(listener)
    if (one.list) listener.next(one.list)
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
    return () => this.#leave(path, listener)
  }

  #leave(path: string, listener: Listener): void {
    const one = this.#lists.get(path)
    if (!one?.listeners.delete(listener) || one.listeners.size > 0) return
    this.#lists.delete(path)
    this.#restart.abort()
  }

  async #run(): Promise<void> {
    while (this.#lists.size > 0) {
      await sleep(gatherMs)
      this.#restart = new AbortController()
      const { signal } = this.#restart
      try {
        await this.#read(signal)
        this.#lost = 0
      } catch (error) {
        if (signal.aborted) continue
        if (error instanceof TesseraError && error.status < 500 && error.status !== 429) this.#failAll(error)
        this.#lost++
      }
      if (!signal.aborted && this.#lists.size > 0)
        await sleep(Math.random() * (this.#lost > 1 ? laterMs : soonMs), signal).catch(() => undefined)
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const lists = Object.fromEntries(
      [...this.#lists.values()].map(({ name, path, since }) => [name, since ? { path, since } : path]),
    )
    const headers = { accept: 'text/event-stream' }
    const call = { method: 'POST', path: '/api/live/', headers, body: { lists }, signal } as const
    for await (const event of eventsOf(await this.#transport.send(call))) {
      if (signal.aborted) return
      this.#lost = 0
      this.#hear(event)
    }
  }

  #hear(event: LiveEvent): void {
    const { list: name, code, key } = event.data
    const one = [...this.#lists.values()].find((each) => each.name === name)
    if (!one) return
    if (event.event === 'end') {
      if (renewing.has(String(code))) this.#renew(one)
      else this.#fail(one, String(code))
      return
    }
    one.ends = 0
    // The id of an event of a list begins with its name.
    if (event.id) one.since = event.id.slice(one.name.length + 1)
    if (event.event === 'ready') one.key = key as string[]
    const list = applied(one.list, event, one.key)
    if (!list || list === one.list) return
    one.list = list
    for (const listener of one.listeners) listener.next(list)
  }

  /** Follows a list again that has ended alone. */
  #renew(one: Followed): void {
    one.ends++
    const restart = this.#restart
    void sleep(Math.random() * (one.ends > 1 ? laterMs : soonMs)).then(() => restart.abort())
  }

  #fail(one: Followed, code: string): void {
    this.#lists.delete(one.path)
    const error = new LiveEnded(one.path, code)
    for (const listener of one.listeners) listener.fail(error)
  }

  #failAll(error: Error): void {
    for (const one of [...this.#lists.values()]) {
      this.#lists.delete(one.path)
      for (const listener of one.listeners) listener.fail(error)
    }
  }
}

/** The service has ended a list, for example because a right was lost. */
export class LiveEnded extends Error {
  readonly code: string

  constructor(path: string, code: string) {
    super(`${path} is not followed any more: ${code}.`)
    this.name = 'LiveEnded'
    this.code = code
  }
}

/** The most lists of one stream. */
const listsMax = 20

const connections = new WeakMap<Transport, LiveConnection[]>()

/** Returns the connection of a client that follows a path, or has room for it. */
export function liveConnection(transport: Transport, path: string): LiveConnection {
  const all = connections.get(transport) ?? []
  connections.set(transport, all)
  const known = all.find((one) => one.has(path)) ?? all.find((one) => one.size < listsMax)
  if (known) return known
  const added = new LiveConnection(transport)
  all.push(added)
  return added
}
