/**
 * CodeMirror, with the languages of the console. Only `code-field.tsx` imports it, so that it is a separate
 * file.
 */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { javascript, javascriptLanguage, scopeCompletionSource } from '@codemirror/lang-javascript'
import { json } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { linter } from '@codemirror/lint'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useMemo, useRef } from 'react'
import { nonce } from '../shell/nonce.ts'
import styles from './code-mirror.module.css'
import { jsonProblems } from './json-lint.ts'

export interface CodeMirrorProps {
  language: 'javascript' | 'json'
  value: string
  onChange: (value: string) => void
  /** For code: the names to suggest, with their members. */
  scope?: Readonly<Record<string, unknown>> | undefined
  /** The action of Ctrl-S, and in JSON also of Ctrl-Enter. */
  save?: (() => void) | undefined
  /** Whether the editor gets the focus when it is shown. */
  takesFocus?: boolean | undefined
  isRequired?: boolean | undefined
  /** The number of visible lines for a short text, and for a long one. */
  lines?: readonly [least: number, most: number]
  labelId: string
  noteId: string
  isWrong: boolean
}

const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--code-value)' },
  { tag: [tags.propertyName, tags.function(tags.variableName), tags.typeName], color: 'var(--code-name)' },
  { tag: tags.comment, color: 'var(--code-comment)', fontStyle: 'italic' },
])

const lineHeight = 1.5

const looks = ([least, most]: readonly [number, number]): Extension =>
  EditorView.theme({
    '&': { fontSize: '13px', color: 'var(--mantine-color-text)', maxHeight: `${most * lineHeight + 1}em` },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': {
      fontFamily: 'var(--mantine-font-family-monospace)',
      lineHeight: String(lineHeight),
      overflow: 'auto',
      minHeight: `${least * lineHeight + 1}em`,
    },
    '.cm-activeLine': {
      backgroundColor: 'color-mix(in srgb, var(--mantine-color-text) 5%, transparent)',
    },
    '.cm-content': { caretColor: 'var(--mantine-color-text)' },
    '.cm-gutters': { backgroundColor: 'transparent', border: 'none', color: 'var(--mantine-color-dimmed)' },
  })

const saveKeys = { javascript: ['Mod-s'], json: ['Mod-s', 'Mod-Enter'] }

const languages = {
  javascript: (scope: CodeMirrorProps['scope']): Extension => [
    javascript(),
    scope ? javascriptLanguage.data.of({ autocomplete: scopeCompletionSource(scope) }) : [],
  ],
  json: (): Extension => [json(), linter(jsonProblems)],
}

/**
 * Replaces a selection by text. The browser itself would keep the colors of the old text in a `style`
 * attribute, which the policy blocks. It uses the browser's selection, because the editor's own selection is
 * updated later.
 */
const typeOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType } = event
    const range = document.getSelection()?.getRangeAt(0)
    if (inputType !== 'insertText' || data === null || !range || range.collapsed || view.composing)
      return false
    event.preventDefault()
    const from = view.posAtDOM(range.startContainer, range.startOffset)
    const to = view.posAtDOM(range.endContainer, range.endOffset)
    view.dispatch({ selection: { anchor: from, head: to } })
    const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type' })
    const handlers = view.state.facet(EditorView.inputHandler)
    if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert())
    return true
  },
})

type Described = Pick<CodeMirrorProps, 'labelId' | 'noteId' | 'isWrong' | 'takesFocus' | 'isRequired'>

/** The texts for screen readers: the name of the field, and its errors. */
const described = ({ labelId, noteId, isWrong, takesFocus, isRequired }: Described) =>
  EditorView.contentAttributes.of({
    'aria-labelledby': labelId,
    // An editable element can get the focus anyway, but axe requires the attribute.
    tabindex: '0',
    'aria-invalid': String(isWrong),
    ...(isRequired ? { 'aria-required': 'true' } : {}),
    // Mantine's focus trap in dialogs looks for this attribute.
    ...(takesFocus ? { 'data-autofocus': 'true' } : {}),
    ...(noteId ? { 'aria-describedby': noteId } : {}),
  })

/** Shows the text. A new `value` replaces the text. */
export default function CodeMirror(props: CodeMirrorProps) {
  const { language, value, scope, lines = [4, 30], labelId, noteId, isWrong, takesFocus, isRequired } = props
  const parent = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const isDark = useComputedColorScheme('light') === 'dark'
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  const parts = useMemo(
    () => ({ scheme: new Compartment(), note: new Compartment(), scope: new Compartment() }),
    [],
  )
  const [least, most] = lines

  useEffect(() => {
    const { current } = latest
    const save = () => {
      latest.current.save?.()
      return latest.current.save !== undefined
    }
    const made = new EditorView({
      parent: parent.current as HTMLDivElement,
      state: EditorState.create({
        doc: current.value,
        extensions: [
          EditorView.cspNonce.of(nonce()),
          lineNumbers(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          autocompletion(),
          highlightActiveLine(),
          typeOver,
          syntaxHighlighting(colors),
          looks([least, most]),
          parts.scope.of(languages[language](current.scope)),
          parts.scheme.of([]),
          parts.note.of(described(current)),
          keymap.of(saveKeys[language].map((key) => ({ key, run: save, preventDefault: key === 'Mod-s' }))),
          keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap]),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) latest.current.onChange(state.doc.toString())
          }),
        ],
      }),
    })
    view.current = made
    if (current.takesFocus) made.focus()
    return () => made.destroy()
  }, [language, least, most, parts])

  useEffect(() => {
    const { current } = view
    if (!current || current.state.doc.toString() === value) return
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: value } })
  }, [value])

  useEffect(() => {
    view.current?.dispatch({
      effects: [
        parts.scheme.reconfigure(EditorView.darkTheme.of(isDark)),
        parts.note.reconfigure(described({ labelId, noteId, isWrong, takesFocus, isRequired })),
        parts.scope.reconfigure(languages[language](scope)),
      ],
    })
  }, [parts, language, scope, isDark, labelId, noteId, isWrong, takesFocus, isRequired])

  return <div ref={parent} className={styles.frame} data-wrong={isWrong || undefined} />
}
