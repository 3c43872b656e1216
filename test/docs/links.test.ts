/** The links of the documents: every file, every anchor, and every path in backticks exists. */
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchorNames, plainText } from '../../src/operation/docs/markdown.ts'
import { type Document, documentsBelow, readDocument, root, tokensOf } from '../support/documents.ts'

const paths = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...documentsBelow('docs')]
const documents = new Map(paths.map((path) => [path, readDocument(path)]))

const anchorsOf = (document: Document): Set<string> => {
  const nameOf = anchorNames()
  return new Set(tokensOf(document, 'heading').map(({ tokens = [] }) => nameOf(plainText(tokens))))
}
const anchors = new Map([...documents].map(([path, document]) => [path, anchorsOf(document)]))

/** All files of the repository that are or could be under version control. */
const files = ['src', 'test', 'dev', 'docs', 'bench', 'drizzle', 'migrations'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((name) => !name.includes('node_modules')),
)

/** Returns the paths that a document has in backticks. */
const namedPaths = (document: Document): string[] =>
  tokensOf(document, 'codespan')
    .map(({ text }) => text as string)
    .filter((text) =>
      /^(src|test|dev|docs|bench|drizzle|migrations)\/[\w./*-]+$|^[\w/-]+\.(ts|tsx|sql|mjs)$/.test(text),
    )

const exists = (path: string): boolean =>
  path.includes('*')
    ? files.some((file) => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}$`).test(file))
    : existsSync(join(root, path)) || files.some((file) => file.endsWith(`/${path}`))

describe.each(paths)('%s', (path) => {
  const document = documents.get(path) as Document

  it('links only to files and anchors that exist', () => {
    const broken = tokensOf(document, 'link')
      .map(({ href }) => href as string)
      .filter((href) => !/^(https?|mailto):/.test(href))
      .filter((href) => {
        const [file = '', anchor] = href.split('#')
        const target = file === '' ? path : relative(root, join(root, dirname(path), file))
        return !existsSync(join(root, target)) || (anchor !== undefined && !anchors.get(target)?.has(anchor))
      })
    expect(broken).toEqual([])
  })

  it('names only paths that exist', () => {
    expect(namedPaths(document).filter((name) => !exists(name))).toEqual([])
  })
})
