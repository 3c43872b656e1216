/**
 * docs/glossary.md has few words, explains each one once, and lists retired words that must not come back.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readDocument, root, tablesOf } from '../support/documents.ts'

const rows = tablesOf(readDocument('docs/glossary.md')).flatMap((table) => table.rows)

/** Words of the column "Not" that must not occur below src/. */
const retired = ['bond', 'clash', 'workspace', 'executor', 'allowance', 'fuse']

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(tsx?|html|css)$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(root, 'src', name), 'utf8').toLowerCase() }))

describe('the glossary', () => {
  it('has at most 40 words', () => expect(rows.length).toBeLessThanOrEqual(40))

  it('explains each word once, and lists the words that are not used for it', () => {
    expect(rows.filter((row) => row.length !== 3 || row.some((cell) => cell.trim() === ''))).toEqual([])
    expect(new Set(rows.map(([word]) => word)).size).toBe(rows.length)
  })

  it.each(retired)('lists the retired word "%s", which no source contains', (word) => {
    expect(rows.some(([, , not = '']) => not.split(', ').includes(word))).toBe(true)
    const pattern = new RegExp(`\\b${word}`)
    expect(sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name)).toEqual([])
  })
})
