/** Reads server-sent events. */

/** An event of a stream of lists. */
export interface LiveEvent {
  event: string
  /** The id with which the list can be followed on. Undefined: the event has none. */
  id: string | undefined
  data: Readonly<Record<string, unknown>>
}

/** Yields the events of a response until it ends. Rejects if the connection is lost. */
export async function* eventsOf(response: Response): AsyncGenerator<LiveEvent> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (reader) {
    const { value, done } = await reader.read()
    if (done) return
    text += value
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const lines = block.split('\n')
      const line = (name: string) => lines.find((one) => one.startsWith(`${name}: `))?.slice(name.length + 2)
      const event = line('event')
      if (event) yield { event, id: line('id'), data: JSON.parse(line('data') ?? '{}') }
    }
  }
}
