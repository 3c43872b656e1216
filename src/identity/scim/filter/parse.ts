/** Reads the text of filters and of paths. RFC 7644, figures 1 and 7. */
import { quoteValue } from '../../../kernel/lib/quote-value.ts'
import { storageProblem } from '../../../kernel/lib/storable.ts'
import type { AttributePath } from '../attributes.ts'
import { invalidFilter, invalidPath } from '../errors.ts'
import { type Comparison, comparisons, type Filter, type TargetPath } from './syntax.ts'

const lengthMax = 4_000
const termsMax = 100
const depthMax = 20

const token = /\s*(?:("(?:[^"\\]|\\.)*")|([()[\]])|([^\s()[\]"]+))/y
const name = /^[A-Za-z$][\w$-]*$/

interface Token {
  kind: 'string' | 'bracket' | 'word'
  text: string
}

/** Creates the error of a text that cannot be read. */
type Fault = (detail: string) => Error

/** Reads a filter, such as `userName sw "a" and not (active eq false)`. Throws 400 for any other text. */
export function parseFilter(text: string): Filter {
  const reader = new Reader(text, invalidFilter)
  const filter = reader.readOr(0)
  reader.requireEnd()
  return filter
}

/** Reads the path of a change, such as `emails[type eq "work"].value`. Throws 400 for any other text. */
export function parsePath(text: string): TargetPath {
  const reader = new Reader(text, invalidPath)
  const path = reader.readPath()
  const filter = reader.readBrackets(path, 0)
  const part = filter ? reader.readPartAfterBrackets() : path.part
  reader.requireEnd()
  return { attribute: path.attribute, part, filter }
}

class Reader {
  private readonly tokens: readonly Token[]
  private readonly fault: Fault
  private position = 0
  private terms = 0

  constructor(text: string, fault: Fault) {
    if (text.length > lengthMax) throw fault(`The text is longer than ${lengthMax} characters.`)
    this.tokens = tokensOf(text, fault)
    this.fault = fault
  }

  readOr(depth: number): Filter {
    if (depth > depthMax) throw this.fault(`The filter is nested deeper than ${depthMax} levels.`)
    let left = this.readAnd(depth)
    while (this.takeWord('or')) left = { kind: 'or', left, right: this.readAnd(depth) }
    return left
  }

  readPath(): AttributePath {
    const word = this.next('an attribute', ({ kind }) => kind === 'word').text
    return this.pathOf(word)
  }

  /** Reads a filter in brackets on the values of an attribute; undefined if there is none. */
  readBrackets(path: AttributePath, depth: number): Filter | undefined {
    if (path.part !== undefined || !this.takeBracket('[')) return undefined
    const filter = this.readOr(depth + 1)
    this.next('"]"', ({ kind, text }) => kind === 'bracket' && text === ']')
    return filter
  }

  /** Reads the `.value` of `emails[type eq "work"].value`; undefined if there is none. */
  readPartAfterBrackets(): string | undefined {
    const after = this.tokens[this.position]
    if (after?.kind !== 'word' || !after.text.startsWith('.')) return undefined
    this.position++
    return this.nameOf(after.text.slice(1))
  }

  requireEnd(): void {
    const rest = this.tokens[this.position]
    if (rest) throw this.fault(`${quoteValue(rest.text)} is not expected there.`)
  }

  private readAnd(depth: number): Filter {
    let left = this.readTerm(depth)
    while (this.takeWord('and')) left = { kind: 'and', left, right: this.readTerm(depth) }
    return left
  }

  private readTerm(depth: number): Filter {
    if (this.isNot()) return { kind: 'not', filter: this.readGroup(depth) }
    if (this.tokens[this.position]?.text === '(') return this.readGroup(depth)
    if (++this.terms > termsMax) throw this.fault(`The filter has more than ${termsMax} comparisons.`)
    const path = this.readPath()
    const filter = this.readBrackets(path, depth)
    if (!filter) return this.readComparison(path)
    const part = this.readPartAfterBrackets()
    if (part === undefined) return { kind: 'holds', attribute: path.attribute, filter }
    const right = this.readComparison({ attribute: part, part: undefined })
    return { kind: 'holds', attribute: path.attribute, filter: { kind: 'and', left: filter, right } }
  }

  private readGroup(depth: number): Filter {
    this.next('"("', ({ kind, text }) => kind === 'bracket' && text === '(')
    const filter = this.readOr(depth + 1)
    this.next('")"', ({ kind, text }) => kind === 'bracket' && text === ')')
    return filter
  }

  private readComparison(path: AttributePath): Filter {
    const expected = `one of ${comparisons.join(', ')} and pr`
    const operator = this.next(expected, ({ kind }) => kind === 'word').text.toLowerCase()
    if (operator === 'pr') return { kind: 'present', path }
    if (!isComparison(operator)) throw this.fault(`${quoteValue(operator)} is not ${expected}.`)
    return { kind: 'compare', path, operator, value: this.readValue() }
  }

  private readValue(): string | number | boolean | null {
    const { kind, text } = this.next('a value', (found) => found.kind !== 'bracket')
    try {
      // Among words, JSON has only numbers, true, false and null.
      const value: unknown = JSON.parse(kind === 'word' ? text.toLowerCase() : text)
      if (storageProblem(value) === undefined) return value as string | number | boolean | null
    } catch {
      // The error below gives the reason.
    }
    throw this.fault(`${quoteValue(text)} is not a value. Put a text into double quotes.`)
  }

  private isNot(): boolean {
    const after = this.tokens[this.position + 1]
    return after?.text === '(' && this.takeWord('not')
  }

  private takeWord(word: string): boolean {
    const found = this.tokens[this.position]
    if (found?.kind !== 'word' || found.text.toLowerCase() !== word) return false
    this.position++
    return true
  }

  private takeBracket(bracket: string): boolean {
    const found = this.tokens[this.position]
    if (found?.kind !== 'bracket' || found.text !== bracket) return false
    this.position++
    return true
  }

  private next(expected: string, isExpected: (found: Token) => boolean): Token {
    const found = this.tokens[this.position]
    if (!found) throw this.fault(`The text ends where ${expected} is expected.`)
    if (!isExpected(found))
      throw this.fault(`${quoteValue(found.text)} stands where ${expected} is expected.`)
    this.position++
    return found
  }

  /**
   * Splits `name.givenName`. The URN of a schema in front is ignored, because a resource has no name twice.
   */
  private pathOf(word: string): AttributePath {
    const [attribute = '', part, ...rest] = word.slice(word.lastIndexOf(':') + 1).split('.')
    if (rest.length > 0) throw this.fault(`${quoteValue(word)} is not an attribute.`)
    return { attribute: this.nameOf(attribute), part: part === undefined ? undefined : this.nameOf(part) }
  }

  private nameOf(text: string): string {
    if (!name.test(text)) throw this.fault(`${quoteValue(text)} is not the name of an attribute.`)
    return text
  }
}

const isComparison = (word: string): word is Comparison => (comparisons as readonly string[]).includes(word)

function tokensOf(text: string, fault: Fault): Token[] {
  const tokens: Token[] = []
  const end = text.trimEnd().length
  token.lastIndex = 0
  while (token.lastIndex < end) {
    const [, string, bracket, word] = token.exec(text) ?? []
    if (string !== undefined) tokens.push({ kind: 'string', text: string })
    else if (bracket !== undefined) tokens.push({ kind: 'bracket', text: bracket })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word })
    else throw fault('A string in double quotes is not closed.')
  }
  return tokens
}
