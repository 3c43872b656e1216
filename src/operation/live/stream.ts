/** The stream of events that a follower reads. */

/** A list of the stream: its name, if the stream has several, and the socket of its Durable Object. */
export interface Followed {
  name: string | null
  socket: WebSocket
}

/** A list that cannot be followed, and the code of its error. */
export interface Refused {
  name: string
  code: string
}

const encoder = new TextEncoder()
/** How often a comment keeps the connection open. */
const pingMs = 20_000
/** How much may wait for a client that does not read, in bytes. */
const waitingMax = 4_194_304
/** How long the client waits before it comes back, if it has no way of its own. */
const retryMs = 3_000

/** Returns the body of a stream, which ends at `until` (milliseconds since 1970) or with the last list. */
export function eventStream(
  lists: readonly Followed[],
  refused: readonly Refused[],
  until: number,
): ReadableStream<Uint8Array> {
  const open = new Set(lists.map(({ socket }) => socket))
  let timers: ReturnType<typeof setTimeout>[] = []
  const close = () => {
    for (const timer of timers) clearTimeout(timer)
    for (const socket of open) socket.close()
    open.clear()
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (text: string) => controller.enqueue(encoder.encode(text))
        const end = () => {
          close()
          controller.close()
        }
        const pass = (name: string | null, message: string) => {
          const { event, id, data } = JSON.parse(message) as { event: string; id: string; data: string }
          write(
            `event: ${event}\nid: ${name === null ? id : `${name} ${id}`}\ndata: ${named(name, data)}\n\n`,
          )
          if (-(controller.desiredSize ?? 0) < waitingMax) return
          close()
          controller.error(new Error('The client does not read.'))
        }
        write(`retry: ${retryMs}\n\n`)
        timers = [
          setInterval(() => write(': ping\n\n'), pingMs),
          setTimeout(
            () => {
              write(`event: end\ndata: {"code":"renew"}\n\n`)
              end()
            },
            Math.max(0, until - Date.now()),
          ),
        ]
        for (const { name, code } of refused)
          write(`event: end\ndata: ${JSON.stringify({ list: name, code })}\n\n`)
        if (open.size === 0) return end()
        for (const { name, socket } of lists) {
          socket.addEventListener('message', ({ data }) => {
            if (open.has(socket)) pass(name, data as string)
          })
          socket.addEventListener('close', () => {
            if (!open.delete(socket) || open.size > 0) return
            end()
          })
          socket.accept()
        }
      },
      cancel: close,
    },
    { highWaterMark: 0, size: ({ byteLength }) => byteLength },
  )
}

/** Adds the name of a list to the data of its event. */
const named = (name: string | null, data: string): string =>
  name === null ? data : `{"list":${JSON.stringify(name)},${data.slice(1)}`
