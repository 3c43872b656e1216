/** Reads a regular expression as ECMA-262 has it, and writes its parts as RE2 has them. */
import { atomEscape, noLineEnd, readClass, written } from './ecma-characters.ts'
import { PatternProblem } from './ecma-problem.ts'

export interface Term {
  /** As RE2 has it. Of what looks around: nothing. */
  text: string
  look?: Look
}

interface Look {
  ahead: boolean
  negative: boolean
  inner: Term[][]
}

/** What is read, and how far: positions in a list of characters. */
export interface Reader {
  readonly characters: readonly string[]
  at: number
}

/** How deep groups may be in each other. */
const depthMax = 50
/** RE2's own. */
const repetitionsMax = 1000

/** The alternatives of the whole, and the flags that begin it. */
export function readPattern(source: string): { alternatives: Term[][]; flags: string } {
  // Not of ECMA-262, but common; and it can mean nothing else.
  const flags = source.startsWith('(?i)') ? '(?i)' : ''
  const reader: Reader = { characters: [...source.slice(flags.length)], at: 0 }
  const alternatives = readAlternatives(reader, 0)
  if (reader.at < reader.characters.length) throw new PatternProblem('a ")" closes no group')
  return { alternatives, flags }
}

/** Up to the end, or the `)` that closes the group. */
function readAlternatives(reader: Reader, depth: number): Term[][] {
  if (depth > depthMax) throw new PatternProblem(`groups are nested deeper than ${depthMax}`)
  const alternatives: Term[][] = [[]]
  for (;;) {
    const character = reader.characters[reader.at]
    if (character === undefined || character === ')') return alternatives
    if (takes(reader, '|')) alternatives.push([])
    else alternatives.at(-1)?.push(readTerm(reader, depth))
  }
}

function readTerm(reader: Reader, depth: number): Term {
  const term = readAtom(reader, depth)
  const quantifier = readQuantifier(reader)
  if (quantifier === '') return term
  if (term.look || /^(\^|\$|\\[bB])$/.test(term.text)) throw new PatternProblem(`"${quantifier}" has nothing before it to repeat`)
  if (readQuantifier(reader) !== '') throw new PatternProblem('two quantifiers follow each other')
  return { text: term.text + quantifier }
}

function readAtom(reader: Reader, depth: number): Term {
  const character = reader.characters[reader.at++] ?? ''
  if (character === '^' || character === '$') return { text: character }
  if (character === '.') return { text: noLineEnd }
  if (character === '(') return readGroup(reader, depth)
  if (character === '[') return { text: readClass(reader) }
  if (character === '\\') return { text: atomEscape(reader) }
  if (/[*+?]/.test(character)) throw new PatternProblem(`"${character}" has nothing before it to repeat`)
  return { text: written(character) }
}

/** As it is written; empty where there is none. */
function readQuantifier(reader: Reader): string {
  const rest = reader.characters.slice(reader.at, reader.at + 20).join('')
  const [quantifier = '', , least = '', , most = ''] = /^([*+?]|\{(\d+)(,(\d*))?\})\??/.exec(rest) ?? []
  if (Number(least) > repetitionsMax || Number(most) > repetitionsMax) {
    throw new PatternProblem(`${quantifier} repeats more than ${repetitionsMax} times: use "maxLength" for long texts`)
  }
  if (most !== '' && Number(most) < Number(least)) throw new PatternProblem(`${quantifier} has its numbers out of order`)
  reader.at += quantifier.length
  return quantifier
}

function readGroup(reader: Reader, depth: number): Term {
  const rest = reader.characters.slice(reader.at, reader.at + 100).join('')
  const [opening = ''] = /^\?(?:<?[=!]|:|<[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*>|-?i:)/u.exec(rest) ?? []
  if (opening === '' && rest.startsWith('?')) throw new PatternProblem(`"(${rest.slice(0, 3)}" begins no group of ECMA-262: ${groups}`)
  reader.at += [...opening].length
  const inner = readAlternatives(reader, depth + 1)
  if (!takes(reader, ')')) throw new PatternProblem('a "(" is not closed')
  if (/^\?<?[=!]$/.test(opening)) return { text: '', look: { ahead: !opening.includes('<'), negative: opening.endsWith('!'), inner } }
  const look = inner.flat().find((term) => term.look)?.look
  if (look) throw new PatternProblem(`look-${look.ahead ? 'ahead' : 'behind'} cannot stand in a group: write the alternatives of the group out`)
  const text = inner.map((terms) => terms.map((term) => term.text).join('')).join('|')
  // What a group captures is of no use here.
  return { text: `(${opening.endsWith(':') ? opening : '?:'}${text})` }
}

const groups = 'there are (…), (?:…), (?<name>…), (?i:…) and look-around'

function takes(reader: Reader, character: string): boolean {
  const there = reader.characters[reader.at] === character
  if (there) reader.at++
  return there
}
