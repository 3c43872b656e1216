/** Marks where a text stops being JSON. */
import { ensureSyntaxTree } from '@codemirror/language'
import type { Diagnostic } from '@codemirror/lint'
import type { EditorState } from '@codemirror/state'
import { parseStrictly } from '../../../src/kernel/lib/parse-json.ts'

/** The maximum time to search for the position of the error, in milliseconds. */
const readMs = 100

/**
 * Returns the error; none for an empty text, because the page decides whether a text is required. The message
 * is from `JSON.parse`. For short texts, it has no position: then the first position that the editor's
 * grammar cannot parse is used.
 */
export function jsonProblems({ state }: { state: EditorState }): Diagnostic[] {
  const text = state.doc.toString()
  if (text.trim() === '') return []
  try {
    parseStrictly(text)
    return []
  } catch (error) {
    let from = text.trimEnd().length - 1
    ensureSyntaxTree(state, text.length, readMs)?.iterate({
      enter({ type, from: at }) {
        if (type.isError && at < from) from = at
      },
    })
    return [{ from, to: from + 1, severity: 'error', message: error instanceof Error ? error.message : '' }]
  }
}
