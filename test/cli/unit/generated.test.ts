/** Files made of names of others: no name ends the string, the comment or the word in which it stands. */
import { execFileSync } from 'node:child_process'
import { transform } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { completionScript } from '../../../cli/src/completion.ts'
import { plainLine } from '../../../cli/src/terminal/plain.ts'
import { type AppDocument, generateTypes } from '../../../client/src/generate.ts'
import { breakers } from '../../support/hostile-names.ts'

/** An app in which every text of the service is this one. */
function documentOf(text: string): AppDocument {
  const field = { type: 'string', 'x-type': text, description: text, enum: [text, 1, null, { text }] }
  const record = {
    properties: { [text]: field, number: { type: 'number', description: text } },
    required: [text],
    'x-primary-key': [text],
    'x-schema-hash': text,
    'x-relationships': { [text]: { to: text, table: text, nullable: true } },
  }
  const odd = { type: text, enum: [text] }
  return {
    paths: { [`/api/apps/${text}/datatables/${text}/data/`]: { post: {} } },
    tags: [{ name: text, description: text }],
    components: {
      schemas: {
        [`${text}.Record`]: record,
        [`${text}.NewRecord`]: record,
        [`${text}.NewRecord.${text}`]: { properties: { [text]: field } },
        [`${text}.NewEdge`]: { properties: { type: odd } },
      },
    },
  }
}

describe('the types of an app', () => {
  it.each(breakers)('are not ended by a name or a description of the service: %j', async (text) => {
    const functions = { [text]: [{ slug: text, secrets: [text], variables: [text] }] }
    const types = generateTypes({ [text]: documentOf(text) }, { functions, from: text })
    expect(types).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u)
    const { code } = await transform(types, { loader: 'ts', minifyWhitespace: true, tsconfigRaw: {} })
    const [, name, value = ''] = /^export const (\w+)=(.*);\n$/s.exec(code) ?? []
    expect([code, name]).toEqual([code, expect.stringMatching(/Schemas$/)])
    const made = new Function(`'use strict'; return (${value})`)()
    const app = Object.entries<object>(made)
    expect(app.map(([slug, tables]) => [slug, Object.entries(tables)])).toEqual([[text, [[text, text]]]])
  })

  it('have a name of their own beside those of the client', () => {
    const types = generateTypes({ json: documentOf('t'), 'function-context': documentOf('t') })
    expect([...types.matchAll(/^export interface (\w+) \{/gm)].map(([, name]) => name)).toEqual([
      ...['Json1Tables', 'Json1', 'FunctionContext1Tables', 'FunctionContext1'],
    ])
  })
})

/** Commands whose words and descriptions are these texts. */
const words = breakers.map((word) => ({ word, description: word }))
const nodes = [
  { path: '', words },
  ...breakers
    .filter((path) => plainLine(path) !== '')
    .map((path) => ({ path, words: [{ word: `of ${path}`, description: path }] })),
]
/** Returns a text as a shell gets it. */
const bytes = (text: string): string => plainLine(text).toWellFormed()
const shown = words.map(({ word }) => plainLine(word))

describe('the completion of a shell', () => {
  it('of bash offers words as they are, and evaluates none', () => {
    const offer = (typed: string) => `COMP_WORDS=(tessera ${typed} ''); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_tessera; printf '%s\\0' "\${COMPREPLY[@]}" $'\\n'`
    const quotes = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
    const paths = nodes.slice(1).map(({ path }) => plainLine(path))
    const script = [
      'evil() { echo EVIL; }; complete() { :; }',
      completionScript('bash', nodes),
      offer(''),
      ...paths.map((path) => offer(quotes(path))),
    ].join('\n')
    const out = execFileSync('bash', ['-c', script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    const offered = out
      .split('\0\n\0')
      .slice(0, -1)
      .map((part) => part.split('\0'))
    const named = nodes.slice(1).map(({ path }) => [bytes(`of ${path}`)])
    expect(offered).toEqual([shown.map(bytes), ...named])
  })

  it('of zsh is one list of words in quotes for each command', () => {
    const lines = completionScript('zsh', nodes).split('\n')
    const lists = lines.flatMap((line) => /^ {4}'.*\) found=\((.*)\) ;;$/.exec(line)?.[1] ?? [])
    // The quotes of zsh are those of bash.
    const script = lists.map((list) => `found=(${list}); printf '%s\\0' "\${found[@]}" $'\\n'`).join('\n')
    const out = execFileSync('bash', ['-c', script], { encoding: 'utf8' })
    const [first] = out.split('\0\n\0')
    const escaped = (text: string) => text.replaceAll(/[\\:]/g, '\\$&')
    expect(first?.split('\0')).toEqual(
      words.map(({ word, description }) => bytes(`${escaped(word)}:${description}`)),
    )
    expect(lists.length).toBe(nodes.length)
  })

  it('of fish has each word in quotes, and in quotes once more where fish evaluates it', () => {
    const lines = completionScript('fish', nodes).split('\n')
    const commands = lines.filter((line) => line.startsWith('complete '))
    const offered = commands.slice(0, words.length).map((line) => {
      const [, , , , condition, , , word, , description, ...more] = fishWords(line)
      return [fishWords(condition ?? ''), fishWords(word ?? ''), description, more]
    })
    expect(offered).toEqual(shown.map((text) => [['__tessera_at', ''], [text], text, []]))
    expect(commands.length).toBe(words.length + nodes.length - 1)
  })
})

/** Splits a command into words, as fish does where all special characters stand in single quotes. */
function fishWords(line: string): string[] {
  const found = [...line.matchAll(/'((?:[^'\\]|\\.)*)'|([\w-]+)|( )|(.)/gsu)]
  expect(found.filter(([, , , , other]) => other !== undefined)).toEqual([])
  return found.flatMap(([, inQuotes, plain, blank]) =>
    blank === undefined ? [inQuotes?.replaceAll(/\\(['\\])/g, '$1') ?? plain ?? ''] : [],
  )
}
