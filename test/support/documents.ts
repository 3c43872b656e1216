/** Reads and parses the Markdown documents of the repository for the tests in test/docs. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { marked, type Token, type Tokens } from 'marked'

export const root = join(import.meta.dirname, '..', '..')

export interface Document {
  /** The path from the root of the repository. */
  path: string
  text: string
  /** The blocks of the document in order, each with its first line. */
  blocks: { token: Token; line: number }[]
}

export function readDocument(path: string): Document {
  const text = readFileSync(join(root, path), 'utf8')
  let line = 1
  const blocks = marked.lexer(text).map((token) => {
    const block = { token, line }
    line += token.raw.split('\n').length - 1
    return block
  })
  return { path, text, blocks }
}

/** Returns the paths of all Markdown files below a folder, sorted. */
export const documentsBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
    .sort()

/** Returns all tokens of a kind, at any depth. */
export function tokensOf<Kind extends Tokens.Generic['type']>(
  { blocks }: Document,
  kind: Kind,
): Extract<Token, { type: Kind }>[] {
  const found: Token[] = []
  marked.walkTokens(
    blocks.map(({ token }) => token),
    (token) => {
      if (token.type === kind) found.push(token)
    },
  )
  return found as Extract<Token, { type: Kind }>[]
}

/** A table with the texts of its cells, without backquotes. */
export interface Table {
  line: number
  header: string[]
  rows: string[][]
}

const asText = (cell: Tokens.TableCell) =>
  cell.tokens.map((token) => ('text' in token ? token.text : token.raw)).join('')

export const tablesOf = ({ blocks }: Document): Table[] =>
  blocks.flatMap(({ token, line }) => {
    if (token.type !== 'table') return []
    const { header, rows } = token as Tokens.Table
    return { line, header: header.map(asText), rows: rows.map((row) => row.map(asText)) }
  })
