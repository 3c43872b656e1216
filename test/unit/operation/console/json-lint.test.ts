/** Where the console's editor marks invalid JSON. */
import { json } from '@codemirror/lang-json'
import { EditorState } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonProblems } from '../../../../console/src/shared/json-lint.ts'
import { runs } from '../../../support/runs.ts'

const problemsOf = (doc: string) => jsonProblems({ state: EditorState.create({ doc, extensions: [json()] }) })

describe('the mark of invalid JSON', () => {
  it.each([
    ['{"shelf": }', 10],
    ['{"a": 1,}', 8],
    ['{"a" 1}', 5],
    ['{a: 1}', 1],
    ['[1,\n 2,\n 3 4]', 11],
    ['{"a": 1} x', 9],
    ['{"a": 01}', 7],
    ['nul', 0],
    ['{"a": 1, "a": 2}', 15],
    // A missing character at the end is marked at the last character of the text.
    ['[1, 2 \n', 4],
  ])('in %j is one character at %i', (doc, from) => {
    expect(problemsOf(doc)).toEqual([
      { from, to: from + 1, severity: 'error', message: expect.stringMatching(/./) },
    ])
  })

  it('does not exist for valid JSON and for empty text', () => {
    expect([...problemsOf(''), ...problemsOf(' \n')]).toEqual([])
    const property = fc.property(fc.json(), (text) => {
      expect(problemsOf(text)).toEqual([])
    })
    fc.assert(property, { numRuns: runs(100, 5_000) })
  })

  it('exists within any text that is not JSON', () => {
    const property = fc.property(fc.json(), fc.string({ minLength: 1 }), fc.nat(), (text, more, at) => {
      const doc = text.slice(0, at % (text.length + 1)) + more + text.slice(at % (text.length + 1))
      fc.pre(doc.trim() !== '' && !isJson(doc))
      const [problem] = problemsOf(doc)
      expect(problem && problem.from >= 0 && problem.to <= doc.length).toBe(true)
    })
    fc.assert(property, { numRuns: runs(200, 5_000) })
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
