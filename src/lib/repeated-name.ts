/**
 * Finds a name that occurs twice in one object of a JSON text. JSON.parse would silently keep the last value.
 * R6.
 */

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const opening = 0x7b
const closing = 0x7d

/** Objects nested deeper than this are not examined, because they cannot be stored anyway (storable.ts). */
const depthMax = 256

/**
 * Returns the first repeated name, unescaped; undefined if there is none. Makes one pass over the text, which
 * is in UTF-8. For bytes that are not valid JSON, the result is meaningless.
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
      if (json[afterSpace(json, at + 1)] === colon && level && !level.add(json, start, at))
        return textOf(json, start, at)
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

/** Strings up to this length are scanned byte by byte. For longer ones, `indexOf` is faster. */
const shortMax = 32

/** Returns the position of the closing quote of a string; the end of the text if there is none. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start
  for (; at < start + shortMax; at++) {
    if (json[at] === quote) return at
    if (json[at] === backslash) at++
  }
  for (let end = json.indexOf(quote, at); end !== -1; end = json.indexOf(quote, end + 1))
    if (!isEscaped(json, at, end)) return end
  return json.length
}

/** Tells whether an odd number of backslashes precedes `at`. */
function isEscaped(json: Uint8Array, start: number, at: number): boolean {
  let before = at
  while (before > start && json[before - 1] === backslash) before--
  return (at - before) % 2 === 1
}

function afterSpace(json: Uint8Array, start: number): number {
  let at = start
  for (let byte = json[at]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = json[at])
    at++
  return at
}

/** The number of different names of a level that are compared by their bytes. */
const knownMax = 64

/**
 * The names of the objects at one depth of nesting. One of these objects is open at a time. Objects of a list
 * usually have the same names in the same order. So a name is compared with the known names by its bytes,
 * beginning with the name that came next in the previous object. An object with more names, or with escaped
 * names, uses a set of texts instead.
 */
class Level {
  /** Where each known name occurred first, and the number of the last object that had it. */
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  readonly #lastHadBy: number[] = []
  #object = 0
  #expected = 0
  #texts: Set<string> | undefined

  /** Begins an object. */
  begin(): void {
    this.#object++
    this.#expected = 0
    if (!this.#texts) return
    this.#texts = undefined
    for (const list of [this.#starts, this.#ends, this.#lastHadBy]) list.length = 0
  }

  /** Adds a name to the open object. Returns false if the object has it already. */
  add(json: Uint8Array, start: number, end: number): boolean {
    if (this.#texts) return addNew(this.#texts, textOf(json, start, end))
    let index = this.#find(json, start, end)
    if (index === -1) {
      if (this.#starts.length === knownMax || json.subarray(start, end).includes(backslash)) {
        this.#texts = this.#textsOfObject(json)
        return addNew(this.#texts, textOf(json, start, end))
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

  /** Returns the index of a known name; -1 if it is not known. */
  #find(json: Uint8Array, start: number, end: number): number {
    const count = this.#starts.length
    for (let index = this.#expected; index < count; index++)
      if (this.#matches(index, json, start, end)) return index
    for (let index = 0; index < this.#expected; index++)
      if (this.#matches(index, json, start, end)) return index
    return -1
  }

  /** Compares from the end, because names of one table often begin alike. */
  #matches(index: number, json: Uint8Array, start: number, end: number): boolean {
    let known = this.#ends[index] as number
    if (known - (this.#starts[index] as number) !== end - start) return false
    for (let at = end - 1; at >= start; at--) if (json[at] !== json[--known]) return false
    return true
  }

  #textsOfObject(json: Uint8Array): Set<string> {
    const texts = new Set<string>()
    for (const [index, start] of this.#starts.entries()) {
      if (this.#lastHadBy[index] === this.#object) texts.add(textOf(json, start, this.#ends[index] as number))
    }
    return texts
  }
}

/** Adds a text to a set. Returns false if the set has it already. */
function addNew(texts: Set<string>, text: string): boolean {
  const before = texts.size
  return texts.add(text).size > before
}

const decoder = new TextDecoder()

/** Returns the name between two quotes, unescaped. */
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
