/**
 * Scans JSON once, before it is parsed: finds repeated names, too many members or elements, values that are
 * nested too deeply, and numbers that JSON.parse would change. A text that is refused costs no more than this
 * pass. R6.
 */
import { isExact, writtenLength } from './exact-json.ts'
import type { JsonFault } from './json-fault.ts'
import { JsonNames } from './json-names.ts'

/** What is declared for a value. Omitted parts may be any JSON. */
export interface JsonShape {
  /**
   * The declared members of an object. `table`: the fields of a table, whose names the shape does not know.
   */
  members?: ReadonlyMap<string, JsonShape> | 'table'
  /** The declared elements of an array, and their maximum number. */
  elements?: { shape: JsonShape; max: number }
}

export const anyJson: JsonShape = {}

/**
 * The most members of an object that a route or a table declares, and the most different names in records.
 */
export const membersMax = 1_000
/** The most members and elements in all values of a text of which nothing is declared. */
export const valuesMax = 50_000
/** The most declared members and elements of a text, apart from fields of records. */
const declaredMax = 200_000
/** The most levels of a text. A value that is stored may have fewer (storable.ts). */
export const levelsMax = 128
/** No value of Postgres has longer numbers. */
const numberMax = 150_000

/** What a scan has found. If the text is not JSON, everything may be wrong, but the work is bounded. */
export interface JsonScan {
  /** The first reason not to parse the text. Undefined: JSON.parse loses no member of it. */
  fault: JsonFault | undefined
  /** Whether the text is an array. */
  isArray: boolean
  /** Whether a double cannot represent one of the numbers. JSON.parse would change it. */
  isInexact: boolean
  /**
   * The digits of all numbers of 16 or more characters or with an exponent, written out without exponents.
   */
  digits: number
}

const quote = 0x22
const comma = 0x2c
const openingBracket = 0x5b
const backslash = 0x5c
const closingBracket = 0x5d
const openingBrace = 0x7b
const closingBrace = 0x7d

/** The bytes of numbers: 1, and 2 for those of exponents. */
const numberBytes = new Uint8Array(256)
for (const byte of '0123456789.+-') numberBytes[byte.charCodeAt(0)] = 1
for (const byte of 'eE') numberBytes[byte.charCodeAt(0)] = 2

/** A container that is open. */
interface Frame {
  /** Undefined: it is an array. */
  names: JsonNames | undefined
  shape: JsonShape
  /** The number of its members or elements. */
  count: number
  /** The shape of the value that follows. */
  next: JsonShape
}

const decoder = new TextDecoder()

/** Scans texts of one shape. What they may have together is counted for all of them. */
export class JsonScanner {
  readonly #shape: JsonShape
  #json: Uint8Array = new Uint8Array()
  #names: JsonNames[] = []
  #frames: Frame[] = []
  #values = 0
  #declared = 0
  #fault: JsonFault | undefined
  /** Where numbers begin and end that may be inexact. */
  #longNumbers: number[] = []
  #isInexact = false
  #digits = 0

  constructor(shape: JsonShape) {
    this.#shape = shape
  }

  /** Scans a part of `json`, which is in UTF-8. */
  scan(json: Uint8Array, start = 0, end = json.length): JsonScan {
    if (json !== this.#json) this.#names = []
    this.#json = json
    this.#frames = []
    this.#fault = undefined
    const first = afterSpace(json, start, end)
    this.#longNumbers = []
    this.#walk(first, end)
    if (!this.#fault) this.#readLongNumbers()
    return {
      fault: this.#fault,
      isArray: json[first] === openingBracket,
      isInexact: this.#isInexact,
      digits: this.#digits,
    }
  }

  #walk(start: number, end: number): void {
    const json = this.#json
    let frame: Frame | undefined
    let expectsName = false
    for (let at = start; at < end && !this.#fault; at++) {
      const byte = json[at] as number
      if (byte === quote) {
        if (expectsName && frame?.names) {
          at = this.#addMember(frame, frame.names, at + 1)
          expectsName = false
        } else at = endOfString(json, at + 1, end)
      } else if (byte === comma) {
        if (frame?.names) expectsName = true
        else if (frame) this.#addElement(frame)
      } else if (byte === openingBrace || byte === openingBracket) {
        expectsName = byte === openingBrace
        frame = this.#open(frame, expectsName)
        if (!expectsName && json[afterSpace(json, at + 1, end)] !== closingBracket) this.#addElement(frame)
      } else if (byte === closingBrace || byte === closingBracket) {
        this.#frames.pop()
        frame = this.#frames.at(-1)
        expectsName = false
      } else if (numberBytes[byte] === 1) at = this.#endOfNumber(at, end) - 1
    }
  }

  #open(parent: Frame | undefined, isObject: boolean): Frame {
    const depth = this.#frames.length
    if (depth === levelsMax) this.#fault = { kind: 'levels', max: levelsMax }
    let names: JsonNames | undefined
    if (isObject) {
      names = this.#names[depth] ??= new JsonNames(this.#json)
      names.begin()
    }
    const frame = { names, shape: parent?.next ?? this.#shape, count: 0, next: anyJson }
    this.#frames.push(frame)
    return frame
  }

  /** Adds the member whose name begins at `start`. Returns the position of the closing quote of the name. */
  #addMember(frame: Frame, names: JsonNames, start: number): number {
    const end = names.add(start)
    const { members } = frame.shape
    frame.count++
    if (end < 0) this.#fault = { kind: 'repeated', name: names.last() }
    else if (members === undefined) this.#countValue()
    else if (frame.count > membersMax) this.#fault = { kind: 'members', max: membersMax }
    else if (members !== 'table') {
      const shape = members.get(names.last())
      frame.next = shape ?? anyJson
      if (shape) this.#countDeclared()
      else this.#countValue()
    } else if (names.size > membersMax) this.#fault = { kind: 'names', max: membersMax }
    return Math.abs(end)
  }

  #addElement(frame: Frame): void {
    const { elements } = frame.shape
    frame.count++
    frame.next = elements?.shape ?? anyJson
    if (!elements) this.#countValue()
    else if (frame.count > elements.max) {
      const kind = elements.shape.members === 'table' ? 'rows' : 'elements'
      this.#fault = { kind, max: elements.max, path: this.#path() }
    } else if (elements.shape.members !== 'table') this.#countDeclared()
  }

  #countValue(): void {
    this.#values++
    if (this.#values > valuesMax) this.#fault = { kind: 'values', max: valuesMax }
  }

  #countDeclared(): void {
    this.#declared++
    if (this.#declared > declaredMax) this.#fault = { kind: 'values', max: declaredMax }
  }

  /** Returns the path of the innermost container. */
  #path(): string {
    const outer = this.#frames.slice(0, -1)
    return outer.map(({ names, count }) => (names ? names.last() : String(count - 1))).join('.')
  }

  /** Returns the end of the number at `start`. */
  #endOfNumber(start: number, end: number): number {
    let at = start + 1
    let kinds = 0
    const last = Math.min(end, start + numberMax + 1)
    for (; at < last; at++) {
      const kind = numberBytes[this.#json[at] as number] as number
      if (kind === 0) break
      kinds |= kind
    }
    if (at - start > numberMax) this.#fault = { kind: 'number', max: numberMax }
    if (at - start >= longMin || kinds > 1) this.#longNumbers.push(start, at)
    return at
  }

  /** Looks at the numbers that may be inexact. This takes longer than the scan, so it is done last. */
  #readLongNumbers(): void {
    for (let index = 0; index < this.#longNumbers.length; index += 2) {
      const [start, end] = [this.#longNumbers[index] as number, this.#longNumbers[index + 1] as number]
      const source = asciiOf(this.#json, start, end)
      this.#digits += /[eE]/.test(source) ? writtenLength(source) : end - start
      this.#isInexact ||= !isExact(source, Number(source))
    }
  }
}

/** Shorter numbers without an exponent are exact as doubles. */
const longMin = 16

function asciiOf(json: Uint8Array, start: number, end: number): string {
  if (end - start > shortMax) return decoder.decode(json.subarray(start, end))
  let text = ''
  for (let at = start; at < end; at++) text += String.fromCharCode(json[at] as number)
  return text
}

/** Strings up to this length are scanned byte by byte. For longer ones, `indexOf` is faster. */
const shortMax = 32

/** Returns the position of the closing quote of a string; the end of the text if there is none. */
function endOfString(json: Uint8Array, start: number, limit: number): number {
  for (let at = start; ; ) {
    for (const stop = at + shortMax; at < stop; at++) {
      if (json[at] === quote) return at
      if (json[at] === backslash) at++
    }
    const end = json.indexOf(quote, at)
    if (end === -1) return limit
    if (!isEscaped(json, at, end)) return end
    at = end + 1
  }
}

/** Tells whether an odd number of backslashes precedes `at`. */
function isEscaped(json: Uint8Array, start: number, at: number): boolean {
  let before = at
  while (before > start && json[before - 1] === backslash) before--
  return (at - before) % 2 === 1
}

/** Returns the position of the first byte that is no white space; `end` if there is none before it. */
function afterSpace(json: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && whiteSpace.has(json[at] as number)) at++
  return at
}

const whiteSpace: ReadonlySet<number> = new Set([0x20, 0x0a, 0x0d, 0x09])

const encoder = new TextEncoder()

/** Scans a text of which nothing is declared. */
export const scanText = (text: string): JsonScan => new JsonScanner(anyJson).scan(encoder.encode(text))
