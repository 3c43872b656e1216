/** Finds a name that stands twice in one object of a JSON text: JSON.parse keeps the last of its values and says nothing. R6. */

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const opening = 0x7b
const closing = 0x7d

/** Objects that are nested deeper are not examined: nothing that is nested so deep is kept (storable.ts). */
const depthMax = 256

/**
 * The first such name, unescaped; undefined where there is none. Makes one pass over the bytes of the text, which is
 * UTF-8. Of bytes that are not valid JSON the result says nothing.
 */
export function repeatedName(json: Uint8Array): string | undefined {
  const levels: Level[] = []
  let depth = 0
  let level: Level | undefined
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === quote) {
      const start = at + 1
      at = endOfString(json, start)
      if (json[afterSpace(json, at + 1)] === colon && level && !level.take(json, start, at)) return textOf(json, start, at)
    } else if (byte === opening) {
      depth++
      if (depth <= depthMax) levels[depth] ??= new Level()
      level = levels[depth]
      level?.begin()
    } else if (byte === closing) {
      depth--
      level = levels[depth]
    }
  }
  return undefined
}

/** Strings up to this length are read here, byte by byte; in longer ones the engine's own search is faster. */
const shortMax = 32

/** Where the closing quote of a string stands; the end of the text if there is none. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start
  for (; at < start + shortMax; at++) {
    if (json[at] === quote) return at
    if (json[at] === backslash) at++
  }
  for (let end = json.indexOf(quote, at); end !== -1; end = json.indexOf(quote, end + 1)) if (!isEscaped(json, at, end)) return end
  return json.length
}

/** Whether an odd number of backslashes stands before `at`. */
function isEscaped(json: Uint8Array, start: number, at: number): boolean {
  let before = at
  while (before > start && json[before - 1] === backslash) before--
  return (at - before) % 2 === 1
}

function afterSpace(json: Uint8Array, start: number): number {
  let at = start
  for (let byte = json[at]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = json[at]) at++
  return at
}

/** So many different names of a level are known by their bytes. */
const knownMax = 64

/**
 * The names of the objects at one depth of nesting, of which one is open at a time. The objects of a list mostly have the
 * same names in the same order. So names are compared by their bytes with those that are known, the one that followed last
 * time first. An object with more names, or with escaped ones, has a set of its own.
 */
class Level {
  /** Of each known name: where it stood first, and the number of the last object that had it. */
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  readonly #lastHadBy: number[] = []
  #object = 0
  #expected = 0
  #texts: Set<string> | undefined

  /** An object begins. */
  begin(): void {
    this.#object++
    this.#expected = 0
    if (!this.#texts) return
    this.#texts = undefined
    for (const list of [this.#starts, this.#ends, this.#lastHadBy]) list.length = 0
  }

  /** Notes a name of the open object; false if the object has it already. */
  take(json: Uint8Array, start: number, end: number): boolean {
    if (this.#texts) return added(this.#texts, textOf(json, start, end))
    let index = this.#find(json, start, end)
    if (index === -1) {
      if (this.#starts.length === knownMax || json.subarray(start, end).includes(backslash)) {
        this.#texts = this.#textsOfObject(json)
        return added(this.#texts, textOf(json, start, end))
      }
      index = this.#starts.push(start) - 1
      this.#ends.push(end)
      this.#lastHadBy.push(0)
    }
    if (this.#lastHadBy[index] === this.#object) return false
    this.#lastHadBy[index] = this.#object
    this.#expected = index + 1
    return true
  }

  /** The index of a known name; -1 if it is not known. */
  #find(json: Uint8Array, start: number, end: number): number {
    const count = this.#starts.length
    for (let index = this.#expected; index < count; index++) if (this.#is(index, json, start, end)) return index
    for (let index = 0; index < this.#expected; index++) if (this.#is(index, json, start, end)) return index
    return -1
  }

  /** Compares from the end: names of one table often begin alike. */
  #is(index: number, json: Uint8Array, start: number, end: number): boolean {
    let known = this.#ends[index] as number
    if (known - (this.#starts[index] as number) !== end - start) return false
    for (let at = end - 1; at >= start; at--) if (json[at] !== json[--known]) return false
    return true
  }

  #textsOfObject(json: Uint8Array): Set<string> {
    const texts = this.#starts.map((start, index) =>
      this.#lastHadBy[index] === this.#object ? [textOf(json, start, this.#ends[index] as number)] : [],
    )
    return new Set(texts.flat())
  }
}

function added(texts: Set<string>, text: string): boolean {
  const before = texts.size
  return texts.add(text).size > before
}

const decoder = new TextDecoder()

/** The name between two quotes. */
function textOf(json: Uint8Array, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end; at++) {
    const byte = json[at] as number
    if (byte === backslash || byte >= 0x80) return unescaped(decoder.decode(json.subarray(start, end)))
    text += String.fromCharCode(byte)
  }
  return text
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text
  }
}
