/** Translates characters, escapes and character classes of regular expressions from ECMA-262 to RE2. */
import { compileExpression } from '../pattern.ts'
import { PatternProblem } from './pattern-problem.ts'

/** An expression and the position up to which it has been read. */
export interface Reader {
  readonly characters: readonly string[]
  at: number
}

/** White space and line terminators in ECMA-262. RE2's `\s` matches only ASCII. */
const space =
  '\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}' +
  '\\x{3000}\\x{feff}'
const noSpace =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}' +
  '\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'
const everything = '\\x{0}-\\x{10ffff}'

/** RE2's form of `.`: any character except line terminators. */
export const noLineEnd = '[^\\n\\r\\x{2028}\\x{2029}]'

/** Returns RE2's form of a literal character. */
export function writeCharacter(character: string): string {
  return /^[\w\s-]$/.test(character) ? character : hex(character.codePointAt(0) ?? 0)
}

const hex = (codePoint: number): string => `\\x{${codePoint.toString(16)}}`

/** A code point, or a set of characters in the syntax of RE2 within a class. */
type Escaped = { character: number } | { set: string }

/** Reads an escape outside a class, after the `\`. Returns RE2's form. */
export function readAtomEscape(reader: Reader): string {
  const [next = '', after = ''] = reader.characters.slice(reader.at, reader.at + 2)
  if (next === 'b' || next === 'B') {
    reader.at++
    return `\\${next}`
  }
  if (/[1-9]/.test(next) || (next === 'k' && after === '<')) {
    throw new PatternProblem(
      `"\\${next}" is a back-reference, which cannot be matched in linear time: ` +
        `write out the alternatives, for example (?:'a'|"a")`,
    )
  }
  const escaped = readEscape(reader)
  return 'set' in escaped ? `[${escaped.set}]` : hex(escaped.character)
}

const controls = new Map([...'tnvfr'].map((letter, index) => [letter, [9, 10, 11, 12, 13][index] ?? 0]))
const sets = new Map([
  ['s', space],
  ['S', noSpace],
  ...[...'dDwW'].map((letter): [string, string] => [letter, `\\${letter}`]),
])
const hints = new Map([
  ['A', 'write "^"'],
  ['z', 'write "$"'],
  ['Z', 'write "$"'],
  ['h', 'write "[ \\t]"'],
  ['Q', 'escape each character'],
  ['E', 'escape each character'],
])

/** Reads an escape, after the `\`. */
function readEscape(reader: Reader): Escaped {
  const rest = reader.characters.slice(reader.at, reader.at + 80).join('')
  const [letter = ''] = rest
  const take = (length: number) => {
    reader.at += length
  }
  const set = sets.get(letter)
  if (set !== undefined) {
    take(1)
    return { set }
  }
  const control = controls.get(letter) ?? (/^0(?!\d)/.test(rest) ? 0 : undefined)
  if (control !== undefined) {
    take(1)
    return { character: control }
  }
  const controlLetter = /^c([A-Za-z])/.exec(rest)?.[1]
  if (controlLetter) {
    take(2)
    return { character: controlLetter.charCodeAt(0) % 32 }
  }
  const [digits = '', ...codes] =
    /^(?:x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|u\{([\dA-Fa-f]{1,8})\})/.exec(rest) ?? []
  if (digits) {
    take(digits.length)
    return { character: joinSurrogates(Number.parseInt(codes.find(Boolean) ?? '', 16), reader) }
  }
  const property = /^([pP])\{([\w=]{1,64})\}/.exec(rest)
  if (property) {
    take(property[0].length)
    return { set: `\\${property[1]}{${propertyName(property[2] ?? '')}}` }
  }
  if (letter === '' || /[A-Za-z0-9]/.test(letter)) {
    throw new PatternProblem(
      `"\\${letter}" is not an escape of ECMA-262${hints.has(letter) ? `: ${hints.get(letter)}` : ''}`,
    )
  }
  take(1)
  return { character: letter.codePointAt(0) ?? 0 }
}

/** Joins two escaped halves of a surrogate pair to one code point. */
function joinSurrogates(code: number, reader: Reader): number {
  if (code > 0x10ffff) throw new PatternProblem(`${code.toString(16)} is not a code point`)
  const rest = reader.characters.slice(reader.at, reader.at + 6).join('')
  const low = (code & 0xfffffc00) === 0xd800 ? /^\\u([dD][c-fC-F][\dA-Fa-f]{2})/.exec(rest)?.[1] : undefined
  if (low === undefined) return code
  reader.at += 6
  return (code - 0xd800) * 0x400 + Number.parseInt(low, 16) - 0xdc00 + 0x10000
}

/** RE2 knows general categories only by their short names, and scripts only by their names. */
const categories =
  'Cased_Letter=LC Close_Punctuation=Pe Combining_Mark=M Connector_Punctuation=Pc Control=Cc ' +
  'Currency_Symbol=Sc Dash_Punctuation=Pd Decimal_Number=Nd Enclosing_Mark=Me Final_Punctuation=Pf ' +
  'Format=Cf Initial_Punctuation=Pi Letter=L Letter_Number=Nl Line_Separator=Zl Lowercase_Letter=Ll ' +
  'Mark=M Math_Symbol=Sm Modifier_Letter=Lm Modifier_Symbol=Sk Nonspacing_Mark=Mn Number=N ' +
  'Open_Punctuation=Ps Other=C Other_Letter=Lo Other_Number=No Other_Punctuation=Po Other_Symbol=So ' +
  'Paragraph_Separator=Zp Private_Use=Co Punctuation=P Separator=Z Space_Separator=Zs Spacing_Mark=Mc ' +
  'Surrogate=Cs Symbol=S Titlecase_Letter=Lt Unassigned=Cn Uppercase_Letter=Lu cntrl=Cc digit=Nd ' +
  'punct=P'
const shortNames = new Map(categories.split(' ').map((pair) => pair.split('=') as [string, string]))

function propertyName(property: string): string {
  const name = property.replace(/^(General_Category|gc|Script|sc)=/, '')
  const short = shortNames.get(name) ?? name
  if (!isKnownProperty(short)) {
    throw new PatternProblem(
      `\\p{${property}} is not supported: use a general category such as \\p{L}, ` +
        'or the full name of a script, such as \\p{Script=Greek}',
    )
  }
  return short
}

const isKnownProperty = (name: string): boolean => !('problem' in compileExpression(`\\p{${name}}`))

/** Reads a class, after the `[`. Returns RE2's form. */
export function readClass(reader: Reader): string {
  const next = () => reader.characters[reader.at]
  const negated = next() === '^'
  if (negated) reader.at++
  const parts: string[] = []
  while (next() !== ']') {
    const first = readMember(reader)
    const isRange = next() === '-' && (reader.characters[reader.at + 1] ?? ']') !== ']'
    if (!isRange || 'set' in first) {
      parts.push('set' in first ? first.set : hex(first.character))
      continue
    }
    reader.at++
    const last = readMember(reader)
    // A set cannot end a range, so the hyphen is a literal character.
    if ('set' in last) parts.push(hex(first.character), hex(hyphen), last.set)
    else if (last.character < first.character)
      throw new PatternProblem('the ends of a range in a class are out of order')
    else parts.push(`${hex(first.character)}-${hex(last.character)}`)
  }
  reader.at++
  // An empty class matches nothing, and a negated empty class matches everything.
  if (parts.length === 0) return negated ? `[${everything}]` : `[^${everything}]`
  return `[${negated ? '^' : ''}${parts.join('')}]`
}

const hyphen = 0x2d
const backspace = 8

function readMember(reader: Reader): Escaped {
  const character = reader.characters[reader.at++]
  if (character === undefined) throw new PatternProblem('a "[" is not closed')
  if (character !== '\\') return { character: character.codePointAt(0) ?? 0 }
  if (reader.characters[reader.at] !== 'b') return readEscape(reader)
  reader.at++
  return { character: backspace }
}
