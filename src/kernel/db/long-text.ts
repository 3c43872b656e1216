/**
 * Takes the long text out of a result of Postgres while the result arrives. The driver gets the result with
 * the first line of the text alone. The rest is read in parts, so that it never stands in memory as a whole.
 */

/** The rest of a text that is too long to be read as a whole. */
export interface LongText {
  /** Reads each part when it is asked for. Throws if the result breaks off, or has a row after the text. */
  parts: AsyncGenerator<string>
  /** Gives up what is not read yet. Calling it again has no effect. */
  end(): void
}

export type TakeText = (text: LongText) => void

/** Results up to this size are read as a whole. */
const wholeBytes = 1024 * 1024
/** The bytes of a part, and how much of a result of known length is read to find its long text. */
const partBytes = 64 * 1024
/** How long the next part may take to arrive. */
const partMs = 30_000

/**
 * Reads the beginning of an answer to `POST /sql`. Returns it without its long text, which goes to `take`.
 * An answer that is not long, or has no long text of several lines, is returned as it is.
 */
export async function withoutLongText(response: Response, take: TakeText): Promise<Response> {
  const { body, status, ok } = response
  const length = response.headers.get('content-length')
  if (!ok || !body || (length !== null && Number(length) <= wholeBytes)) return response
  const reader = body.getReader({ mode: 'byob' })
  const chunks: Uint8Array[] = []
  for (let size = 0; size <= (length === null ? wholeBytes : partBytes); ) {
    const { value, done } = await reader.read(new Uint8Array(partBytes))
    if (done) return new Response(Buffer.concat(chunks), { status })
    chunks.push(value)
    size += value.byteLength
  }
  const begin = Buffer.concat(chunks)
  const place = findText(begin)
  if (!place) {
    reader.releaseLock()
    return new Response(streamOf([begin], body.getReader()), { status })
  }
  const head = begin.toString('utf8', 0, place.from)
  const shown = `${head}"${place.closing}`
  const rows = rowsIn(shown)
  take(
    readText(reader, begin.subarray(place.from), (after) => {
      if (rowsIn(`${head}"${after}`) !== rows) throw new Error('The result has a row after its long text.')
    }),
  )
  return new Response(shown, { status })
}

const [quote, backslash] = ['"', '\\'].map((sign) => sign.charCodeAt(0)) as [number, number]
const [lineFeed, unicode] = ['n', 'u'].map((letter) => letter.charCodeAt(0)) as [number, number]
const closers: Readonly<Record<number, string>> = { 91: ']', 123: '}' }
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d])

/**
 * Finds the string in which the beginning of a JSON text ends. Returns the position after its first line
 * feed, and what closes everything around it. Undefined if the beginning ends outside of a string, or in its
 * first line.
 */
function findText(begin: Uint8Array): { from: number; closing: string } | undefined {
  const open: string[] = []
  let isInString = false
  let from: number | undefined
  for (let at = 0; at < begin.length; at++) {
    const byte = begin[at] as number
    if (isInString) {
      if (byte === backslash && begin[++at] === lineFeed) from ??= at + 1
      isInString = byte !== quote
    } else if (byte === quote) {
      isInString = true
      from = undefined
    } else if (closers[byte]) open.unshift(closers[byte])
    else if (closing.has(byte)) open.shift()
  }
  return isInString && from !== undefined ? { from, closing: open.join('') } : undefined
}

/** Counts the rows of a result, or of all results of a transaction. */
function rowsIn(json: string): number {
  const { results, rows = [] } = JSON.parse(json) as { results?: { rows: unknown[] }[]; rows?: unknown[] }
  return results ? results.reduce((sum, result) => sum + result.rows.length, 0) : rows.length
}

/** Reads a JSON string from `first` on. `checkAfter` gets what follows it. */
function readText(
  reader: ReadableStreamBYOBReader,
  first: Uint8Array,
  checkAfter: (after: string) => void,
): LongText {
  let hasEnded = false
  function end(): void {
    if (!hasEnded) reader.cancel().catch(() => undefined)
    hasEnded = true
  }
  /** Returns the next bytes; undefined at the end of the answer. */
  async function next(): Promise<Uint8Array | undefined> {
    const timer = setTimeout(end, partMs)
    try {
      const { value, done } = await reader.read(new Uint8Array(partBytes))
      return done ? undefined : value
    } finally {
      clearTimeout(timer)
    }
  }
  async function* read(): AsyncGenerator<string> {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    let left = first
    for (;;) {
      const { text, used, isWhole } = withoutEscapes(left)
      const part = decoder.decode(text, { stream: !isWhole })
      if (part !== '') yield part
      left = left.subarray(used)
      if (isWhole) break
      const more = await next()
      if (!more) throw new Error('The result of Postgres broke off.')
      left = left.length === 0 ? more : Buffer.concat([left, more])
    }
    const after = [left]
    for (let more = await next(); more; more = await next()) after.push(more)
    hasEnded = true
    checkAfter(Buffer.concat(after).toString())
  }
  return { parts: read(), end }
}

const encoder = new TextEncoder()
/** What stands for a character after a backslash, other than the character itself. */
const meanings: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const meaningOf = Uint8Array.from({ length: 256 }, (_, code) => {
  const letter = String.fromCharCode(code)
  return (meanings[letter] ?? letter).charCodeAt(0)
})

/**
 * Replaces the escapes of a JSON string in place. Returns its text, and how many bytes were used: all but
 * the beginning of an escape, or up to the end of the string.
 */
function withoutEscapes(bytes: Uint8Array): { text: Uint8Array; used: number; isWhole: boolean } {
  let [from, to] = [0, 0]
  while (from < bytes.length) {
    const byte = bytes[from] as number
    if (byte === quote) return { text: bytes.subarray(0, to), used: from + 1, isWhole: true }
    if (byte !== backslash) {
      bytes[to++] = byte
      from++
      continue
    }
    const end = from + escapeLength(bytes, from)
    if (end > bytes.length) break
    if (bytes[from + 1] === unicode) {
      const character = JSON.parse(`"${String.fromCharCode(...bytes.subarray(from, end))}"`) as string
      to += encoder.encodeInto(character, bytes.subarray(to, end)).written
    } else bytes[to++] = meaningOf[bytes[from + 1] as number] as number
    from = end
  }
  return { text: bytes.subarray(0, to), used: from, isWhole: false }
}

/** Returns the bytes of the escape at a position. A character beyond U+FFFF has two of six bytes. */
function escapeLength(bytes: Uint8Array, from: number): number {
  if (bytes[from + 1] !== unicode) return 2
  const isHalf = /^d[89ab]/i.test(String.fromCharCode(...bytes.subarray(from + 2, from + 4)))
  return isHalf ? 12 : 6
}

/** Returns a stream of the chunks that were read already and those that are still to be read. */
export const streamOf = (first: Uint8Array[], reader: ReadableStreamDefaultReader<Uint8Array>) =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = first.shift() ?? (await reader.read()).value
      if (chunk) controller.enqueue(chunk)
      else controller.close()
    },
    cancel: (reason) => reader.cancel(reason),
  })
