/** Where the editor of the console marks JSON that is wrong. */
import { json } from '@codemirror/lang-json'
import { EditorState } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonProblems } from '../../../console/src/shared/json-lint.ts'
import { runs } from '../../support/runs.ts'

const problemsOf = (doc: string) => jsonProblems({ state: EditorState.create({ doc, extensions: [json()] }) })

describe('the mark of wrong JSON', () => {
  it.each([
    ['{"shelf": }', 10],
    ['{"a": 1,}', 8],
    ['{"a" 1}', 5],
    ['{a: 1}', 1],
    ['[1,\n 2,\n 3 4]', 11],
    ['{"a": 1} x', 9],
    ['{"a": 01}', 7],
    ['nul', 0],
    // What is missing at the end is marked at the last character.
    ['[1, 2 \n', 4],
  ])('of %j is one character, at %i', (doc, from) => {
    expect(problemsOf(doc)).toEqual([
      { from, to: from + 1, severity: 'error', message: expect.stringMatching(/./) },
    ])
  })

  it('there is none for JSON, and none for no text', () => {
    expect([...problemsOf(''), ...problemsOf(' \n')]).toEqual([])
    const property = fc.property(fc.json(), (text) => {
      expect(problemsOf(text)).toEqual([])
    })
    fc.assert(property, { numRuns: runs(100, 5_000) })
  })

  it('there is one within every text that is no JSON', () => {
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
