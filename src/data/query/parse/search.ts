/**
 * Parses the words of a search: `bridge "red boats" or sail* -harbour`. Every text can be parsed: signs
 * without a meaning count as words.
 */

/** The conditions for records. */
export type SearchNode =
  | { kind: 'and' | 'or'; of: readonly SearchNode[] }
  | { kind: 'not'; of: SearchNode }
  | SearchTerm

/** A word, words in their order, or the beginning of a word. */
export interface SearchTerm {
  kind: 'word' | 'phrase' | 'prefix'
  text: string
}

/** Matches a phrase up to its closing quote, or a word, perhaps after a `-`. */
const token = /(?<minus>-?)(?:"(?<phrase>[^"]*)"?|(?<word>[^\s"]+))/gu

const prefix = /^(?<start>.*[\p{L}\p{N}])\*+$/u

/**
 * Parses a search: alternatives between `or`, each of which needs all of its words. An `or` that does not
 * stand between two words is a word itself.
 */
export function parseSearch(text: string): SearchNode {
  const tokens = [...text.matchAll(token)].map(({ groups = {} }) => groups)
  const alternatives: SearchNode[][] = [[]]
  for (const [position, { minus, phrase, word = '' }] of tokens.entries()) {
    const all = alternatives.at(-1) as SearchNode[]
    const isOr = phrase === undefined && minus === '' && word.toLowerCase() === 'or'
    if (isOr && all.length > 0 && position < tokens.length - 1) alternatives.push([])
    else {
      const term = termOf(phrase, word)
      all.push(minus ? { kind: 'not', of: term } : term)
    }
  }
  return joined(
    'or',
    alternatives.map((all) => joined('and', all)),
  )
}

const joined = (kind: 'and' | 'or', of: readonly SearchNode[]): SearchNode =>
  of.length === 1 ? (of[0] as SearchNode) : { kind, of }

function termOf(phrase: string | undefined, word: string): SearchTerm {
  if (phrase !== undefined) return { kind: 'phrase', text: phrase }
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
