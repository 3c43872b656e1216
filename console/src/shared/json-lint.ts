/** Marks where a text stops being JSON. */
import { ensureSyntaxTree } from '@codemirror/language'
import type { Diagnostic } from '@codemirror/lint'
import type { EditorState } from '@codemirror/state'

/** How long the text is read for the place of the mistake, in milliseconds. */
const readMs = 100

/**
 * Returns the mistake; none for no text, since the page says whether there has to be one. The words are those of
 * `JSON.parse`. It does not tell the place in a short text: this is the first one that the editor's grammar cannot read.
 */
export function jsonProblems({ state }: { state: EditorState }): Diagnostic[] {
  const text = state.doc.toString()
  if (text.trim() === '') return []
  try {
    JSON.parse(text)
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
