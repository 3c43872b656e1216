/**
 * Finds a name that occurs twice in one object of a JSON text. JSON.parse would silently keep the last
 * value. R6.
 */

const quote = 0x22
const backslash = 0x5c
const letterU = 0x75

/**
 * The names of the objects at one depth of nesting. One of these objects is open at a time. Objects of a list
 * usually have the same names in the same order, so a name is first compared with the name that came next in
 * the previous object. Other names are looked up by a hash with a random seed: the cost of a name does not
 * depend on the other names. One pass finds the end of a name and computes the hash of the unescaped name, so
 * that each name is kept once, however it is spelled.
 */
export class JsonNames {
  /** Where the first spelling of each name begins and ends. */
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  /** The hash of each name, and its length in bytes of UTF-8. Both are without escapes. */
  readonly #hashes: number[] = []
  readonly #lengths: number[] = []
  /** The number of the last object that had the name. */
  readonly #lastHadBy: number[] = []
  readonly #seed = Math.trunc(Math.random() * 2 ** 32)
  /** The index of a name plus one, by its hash. Twice as long as there are names, or longer. */
  #slots = new Int32Array(64)
  readonly #json: Uint8Array
  #object = 0
  #expected = 0
  #last = 0

  constructor(json: Uint8Array) {
    this.#json = json
  }

  /** The number of different names. */
  get size(): number {
    return this.#starts.length
  }

  /** Begins an object. */
  begin(): void {
    this.#object++
    this.#expected = 0
  }

  /** Returns the last name that was added, unescaped. */
  last(): string {
    return textOf(this.#json, this.#starts[this.#last] as number, this.#ends[this.#last] as number)
  }

  /**
   * Adds the name that begins at `start`, behind its quote, to the open object. Returns the position of its
   * closing quote. If the object has the name already, returns that position as a negative number.
   */
  add(start: number): number {
    const isExpected = this.#isExpected(start)
    if (isExpected) this.#last = this.#expected
    const end = isExpected ? start + this.#lengthOf(this.#last) : this.#find(start)
    const name = this.#last
    this.#expected = name + 1
    if (this.#lastHadBy[name] === this.#object) return -end
    this.#lastHadBy[name] = this.#object
    return end
  }

  /** Returns the length of the first spelling. */
  #lengthOf(index: number): number {
    return (this.#ends[index] as number) - (this.#starts[index] as number)
  }

  /** Tells whether the name at `start` is spelled as the expected one. */
  #isExpected(start: number): boolean {
    const expected = this.#expected
    if (expected >= this.#starts.length) return false
    const length = this.#lengthOf(expected)
    return (
      this.#json[start + length] === quote &&
      areEqual(this.#json, start, this.#starts[expected] as number, length)
    )
  }

  /** Finds the name at `start`, which may be a new one, and returns its end. */
  #find(start: number): number {
    const json = this.#json
    // An integer from the start: the loop would convert a double for each byte, in twice the time.
    let hash = this.#seed | 0
    let end = start
    for (; end < json.length && json[end] !== quote; end++) {
      if (json[end] === backslash) return this.#findEscaped(start, end, hash)
      hash = mixed(hash, json[end] as number)
    }
    this.#last = this.#indexOf({ start, end, length: end - start, hash })
    return end
  }

  /** Does the same as `#find`, which has found an escape. `hashBefore` is that of the name before it. */
  #findEscaped(start: number, firstEscape: number, hashBefore: number): number {
    const bytes = new UnescapedBytes(this.#json, firstEscape)
    let hash = hashBefore | 0
    let length = firstEscape - start
    for (let byte = bytes.next(); byte !== -1; byte = bytes.next()) {
      hash = mixed(hash, byte)
      length++
    }
    this.#last = this.#indexOf({ start, end: bytes.at, length, hash })
    return bytes.at
  }

  /** Returns the index of a name, which may be a new one. */
  #indexOf(name: Name): number {
    const mask = this.#slots.length - 1
    for (let slot = name.hash & mask; ; slot = (slot + 1) & mask) {
      const index = (this.#slots[slot] as number) - 1
      if (index === -1) return this.#insert(name)
      if (this.#hashes[index] === name.hash && this.#isSame(index, name)) return index
    }
  }

  #isSame(index: number, { start, end, length }: Name): boolean {
    if (this.#lengths[index] !== length) return false
    const known = this.#starts[index] as number
    // A name with escapes is shorter than its spelling.
    if (length === end - start && length === this.#lengthOf(index))
      return areEqual(this.#json, start, known, length)
    const [one, other] = [new UnescapedBytes(this.#json, start), new UnescapedBytes(this.#json, known)]
    for (let at = 0; at < length; at++) if (one.next() !== other.next()) return false
    return true
  }

  #insert({ start, end, length, hash }: Name): number {
    const index = this.#starts.push(start) - 1
    this.#ends.push(end)
    this.#lengths.push(length)
    this.#hashes.push(hash)
    this.#lastHadBy.push(0)
    if (this.#starts.length * 2 <= this.#slots.length) this.#take(index)
    else {
      this.#slots = new Int32Array(this.#slots.length * 4)
      for (let each = 0; each <= index; each++) this.#take(each)
    }
    return index
  }

  /** Takes the first free slot for a name. */
  #take(index: number): void {
    const mask = this.#slots.length - 1
    let slot = (this.#hashes[index] as number) & mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
    this.#slots[slot] = index + 1
  }
}

/** A name of the text. */
interface Name {
  start: number
  end: number
  /** The length in bytes of UTF-8 and the hash. Both are without escapes. */
  length: number
  hash: number
}

/** Compares parts of the text from their ends, because names of one table often begin alike. */
function areEqual(json: Uint8Array, one: number, other: number, length: number): boolean {
  for (let at = length - 1; at >= 0; at--) if (json[one + at] !== json[other + at]) return false
  return true
}

/** An odd number, with which each byte of a name changes many bits of its hash. */
const multiplier = 0x01000193

function mixed(hash: number, byte: number): number {
  const product = Math.imul(hash ^ byte, multiplier)
  return product ^ (product >>> 15)
}

/** Reads the name at a position as UTF-8, without its escapes. */
class UnescapedBytes {
  /** The position of the next byte. */
  at: number
  readonly #json: Uint8Array
  /** The code point of the last escape, and the number of its bytes that are still to come. */
  #code = 0
  #more = 0

  constructor(json: Uint8Array, at: number) {
    this.#json = json
    this.at = at
  }

  /** Returns the next byte. -1: `at` is the position of the closing quote, or the end of the text. */
  next(): number {
    if (this.#more > 0) {
      this.#more--
      return 0x80 | ((this.#code >> (6 * this.#more)) & 0x3f)
    }
    if (this.at >= this.#json.length) return -1
    const byte = this.#json[this.at] as number
    if (byte === quote) return -1
    this.at++
    return byte === backslash ? this.#firstOfEscape() : byte
  }

  /** Reads the escape behind a backslash, and returns the first byte of its code point. */
  #firstOfEscape(): number {
    const json = this.#json
    const kind = json[this.at++] ?? quote
    if (kind !== letterU) return escapes[kind] as number
    let code = unitAt(json, this.at)
    this.at += 4
    const isPair = code >> 10 === 0x36 && json[this.at] === backslash && json[this.at + 1] === letterU
    const low = isPair ? unitAt(json, this.at + 2) : 0
    if (low >> 10 === 0x37) {
      code = 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff)
      this.at += 6
    }
    if (code < 0x80) return code
    this.#code = code
    this.#more = code < 0x10000 ? 1 + Number(code >= 0x800) : 3
    return ((0x780 >> this.#more) & 0xff) | (code >> (6 * this.#more))
  }
}

/** The bytes that short escapes stand for. Most stand for themselves. */
const escapes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
for (const [letter, meant] of Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }))
  escapes[letter.charCodeAt(0)] = meant.charCodeAt(0)

/** Returns the code unit of four hexadecimal digits. */
function unitAt(json: Uint8Array, start: number): number {
  let unit = 0
  for (let at = start; at < start + 4; at++) {
    const byte = json[at] ?? 0
    unit = unit * 16 + (byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57)
  }
  return unit
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
