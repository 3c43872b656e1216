/** Parses regular expressions of ECMA-262, and translates their parts to RE2. */
import { noLineEnd, type Reader, readAtomEscape, readClass, writeCharacter } from './ecma-characters.ts'
import { PatternProblem } from './pattern-problem.ts'

/** A part of an alternative. */
export interface Term {
  /** RE2's form; empty for look-around. */
  text: string
  look?: Look
}

interface Look {
  ahead: boolean
  negative: boolean
  inner: Term[][]
}

/** The largest depth of nested groups. */
const depthMax = 50
/** The largest count of a repetition, which is RE2's limit. */
const repetitionsMax = 1000

/** Reads an expression: its alternatives, and its leading flags. Throws PatternProblem. */
export function readPattern(source: string): { alternatives: Term[][]; flags: string } {
  // The prefix is not part of ECMA-262, but common and unambiguous.
  const flags = source.startsWith('(?i)') ? '(?i)' : ''
  const reader: Reader = { characters: [...source.slice(flags.length)], at: 0 }
  const alternatives = readAlternatives(reader, 0)
  if (reader.at < reader.characters.length) throw new PatternProblem('a ")" has no matching "("')
  return { alternatives, flags }
}

/** Reads up to the end of the expression, or the `)` that closes the group. */
function readAlternatives(reader: Reader, depth: number): Term[][] {
  if (depth > depthMax) throw new PatternProblem(`groups are nested deeper than ${depthMax}`)
  const alternatives: Term[][] = [[]]
  while (true) {
    const character = reader.characters[reader.at]
    if (character === undefined || character === ')') return alternatives
    if (skipIf(reader, '|')) alternatives.push([])
    else alternatives.at(-1)?.push(readTerm(reader, depth))
  }
}

function readTerm(reader: Reader, depth: number): Term {
  const term = readAtom(reader, depth)
  const quantifier = readQuantifier(reader)
  if (quantifier === '') return term
  if (term.look || /^(\^|\$|\\[bB])$/.test(term.text))
    throw new PatternProblem(`"${quantifier}" has nothing to repeat`)
  if (readQuantifier(reader) !== '') throw new PatternProblem('two quantifiers follow each other')
  return { text: term.text + quantifier }
}

function readAtom(reader: Reader, depth: number): Term {
  const character = reader.characters[reader.at++] ?? ''
  if (character === '^' || character === '$') return { text: character }
  if (character === '.') return { text: noLineEnd }
  if (character === '(') return readGroup(reader, depth)
  if (character === '[') return { text: readClass(reader) }
  if (character === '\\') return { text: readAtomEscape(reader) }
  if (/[*+?]/.test(character)) throw new PatternProblem(`"${character}" has nothing to repeat`)
  return { text: writeCharacter(character) }
}

/** Reads a quantifier. Returns its text; empty if there is none. */
function readQuantifier(reader: Reader): string {
  const rest = reader.characters.slice(reader.at, reader.at + 20).join('')
  const [quantifier = '', , least = '', , most = ''] = /^([*+?]|\{(\d+)(,(\d*))?\})\??/.exec(rest) ?? []
  if (Number(least) > repetitionsMax || Number(most) > repetitionsMax) {
    throw new PatternProblem(
      `${quantifier} repeats more than ${repetitionsMax} times: use "maxLength" for long texts`,
    )
  }
  if (most !== '' && Number(most) < Number(least))
    throw new PatternProblem(`the numbers of ${quantifier} are out of order`)
  reader.at += quantifier.length
  return quantifier
}

function readGroup(reader: Reader, depth: number): Term {
  const rest = reader.characters.slice(reader.at, reader.at + 100).join('')
  const [opening = ''] =
    /^\?(?:<?[=!]|:|<[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*>|-?i:)/u.exec(rest) ?? []
  if (opening === '' && rest.startsWith('?'))
    throw new PatternProblem(`"(${rest.slice(0, 3)}" does not begin a group of ECMA-262: use ${groups}`)
  reader.at += [...opening].length
  const inner = readAlternatives(reader, depth + 1)
  if (!skipIf(reader, ')')) throw new PatternProblem('a "(" is not closed')
  if (/^\?<?[=!]$/.test(opening))
    return { text: '', look: { ahead: !opening.includes('<'), negative: opening.endsWith('!'), inner } }
  const look = inner.flat().find((term) => term.look)?.look
  if (look)
    throw new PatternProblem(
      `look-${look.ahead ? 'ahead' : 'behind'} is not supported in a group: ` +
        'write out the alternatives of the group',
    )
  const text = inner.map((terms) => terms.map((term) => term.text).join('')).join('|')
  // Captures are not used.
  return { text: `(${opening.endsWith(':') ? opening : '?:'}${text})` }
}

const groups = '(…), (?:…), (?<name>…), (?i:…) or look-around'

function skipIf(reader: Reader, character: string): boolean {
  const isThere = reader.characters[reader.at] === character
  if (isThere) reader.at++
  return isThere
}
