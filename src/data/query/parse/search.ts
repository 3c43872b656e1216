/**
 * Parses the words of a search: `bridge "red boats" or sail* -harbour`. Every text can be parsed: signs
 * without a meaning count as words. A text whose end is still being typed finds what it may become.
 */

/** The conditions for records. */
export type SearchNode =
  | { kind: 'and' | 'or'; of: readonly SearchNode[] }
  | { kind: 'not'; of: SearchNode }
  | SearchTerm

/** A word, words in their order, or words of which the last one is the beginning of a word. */
export interface SearchTerm {
  kind: 'word' | 'phrase' | 'prefix'
  text: string
}

/** Matches a phrase up to its closing quote, or a word, perhaps after a `-`. */
const token = /(?<minus>-?)(?:"(?<phrase>[^"]*)(?<end>"?)|(?<word>[^\s"]+))/gu

/** Matches the beginning of a word, up to its `*`. */
const prefix = /^(?<start>.*[\p{L}\p{N}].*?)\*+$/su
const hasLetter = /[\p{L}\p{N}]/u

/**
 * Parses a search: alternatives between `or`, each of which needs all of its words. An `or` at the beginning
 * is a word itself; one at the end is ignored, because its alternative follows.
 */
export function parseSearch(text: string): SearchNode {
  const tokens = [...text.matchAll(token)].map(({ groups = {} }) => groups)
  while (tokens.length > 1 && isOr(tokens.at(-1))) tokens.pop()
  const alternatives: SearchNode[][] = [[]]
  for (const one of tokens) {
    const all = alternatives.at(-1) as SearchNode[]
    if (isOr(one) && all.length > 0) alternatives.push([])
    else all.push(one.minus ? { kind: 'not', of: termOf(one) } : termOf(one))
  }
  return joined(
    'or',
    alternatives.map((all) => joined('and', all)),
  )
}

const joined = (kind: 'and' | 'or', of: readonly SearchNode[]): SearchNode =>
  of.length === 1 ? (of[0] as SearchNode) : { kind, of }

type Token = Readonly<Record<string, string | undefined>>

const isOr = ({ minus, word }: Token = {}): boolean => minus === '' && word?.toLowerCase() === 'or'

/** Without its closing quote, the last word of a phrase may be incomplete. */
function termOf({ phrase, end, word = '' }: Token): SearchTerm {
  if (phrase !== undefined)
    return { kind: end === '' && hasLetter.test(phrase) ? 'prefix' : 'phrase', text: phrase }
  const start = prefix.exec(word)?.groups?.start
  return start === undefined ? { kind: 'word', text: word } : { kind: 'prefix', text: start }
}

/** Returns a search without the terms that a record must not have. */
export function withoutExcluded(node: SearchNode): SearchNode {
  if (node.kind === 'not') return { kind: 'and', of: [] }
  return 'of' in node ? { ...node, of: node.of.map(withoutExcluded) } : node
}

/** Returns the terms of a search. `wanted` omits the terms that a record must not have. */
export function termsOf(node: SearchNode, { wanted }: { wanted: boolean }): SearchTerm[] {
  if (node.kind === 'not') return wanted ? [] : termsOf(node.of, { wanted })
  return 'of' in node ? node.of.flatMap((one) => termsOf(one, { wanted })) : [node]
}
