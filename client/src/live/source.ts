/** A list that is followed, for loops and for components. */
import type { CallOptions, Query, Transport } from '../connection/transport.ts'
import { queryString } from '../connection/transport.ts'
import type { LiveList } from './apply.ts'
import { liveConnection } from './connection.ts'

type Item = Readonly<Record<string, unknown>>

/** What is known of a list that is followed. */
export interface LiveState<List> {
  /** Undefined: the first answer has not arrived. */
  readonly list: List | undefined
  /** Why the list is not followed any more. Undefined: it is followed. */
  readonly error: Error | undefined
}

/**
 * A list that stays true. `for await (const list of live)` yields it whenever it has changed, the newest one
 * if it has changed often, until the loop ends. `subscribe` and `state` are for components; it is followed while
 * somebody has subscribed.
 */
export interface Live<List> extends AsyncIterable<List> {
  subscribe(listener: () => void): () => void
  state(): LiveState<List>
}

const unknown: LiveState<never> = { list: undefined, error: undefined }

/** Follows a path, for example a list of records. Nothing is sent before somebody listens. */
export function followPath<List = LiveList<Item>>(
  transport: Transport,
  path: string,
  query: Query,
  { signal }: CallOptions = {},
): Live<List> {
  const address = `${path}${queryString(query)}`
  const listeners = new Set<() => void>()
  let state: LiveState<List> = unknown
  let leave: (() => void) | undefined
  const tell = (next: LiveState<List>) => {
    state = next
    for (const listener of listeners) listener()
  }
  const stop = () => {
    leave?.()
    leave = undefined
  }
  signal?.addEventListener('abort', () => tell({ ...state, error: signal.reason as Error }), { once: true })

  function subscribe(listener: () => void): () => void {
    listeners.add(listener)
    leave ??= liveConnection(transport, address).follow(address, {
      next: (list) => tell({ list: list as List, error: undefined }),
      fail: (error) => tell({ ...state, error }),
    })
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) stop()
    }
  }

  async function* lists(): AsyncGenerator<List> {
    let wake: () => void = () => undefined
    let seen: List | undefined
    const unsubscribe = subscribe(() => wake())
    try {
      for (;;) {
        signal?.throwIfAborted()
        const { list, error } = state
        if (list !== undefined && list !== seen) {
          seen = list
          yield list
        } else if (error) throw error
        else {
          await new Promise<void>((resolve) => {
            wake = resolve
            if (state.list !== seen || state.error) resolve()
          })
        }
      }
    } finally {
      unsubscribe()
    }
  }

  return { subscribe, state: () => state, [Symbol.asyncIterator]: lists }
}
