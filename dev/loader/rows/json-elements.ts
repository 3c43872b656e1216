/**
 * Splits the text of a JSON array into its elements while it is read, so that no file has to fit into memory.
 */
import { Refusal } from '../refusal.ts'
import { newlines, rowLengthMax } from '../text.ts'

/** The text of an element, with the line on which it begins. */
export interface Element {
  text: string
  line: number
}

/** Tracks the structure of a text, token by token. */
function followStructure() {
  let state: 'before' | 'element' | 'after' = 'before'
  let depth = 0
  let isText = false
  return {
    hasBegun: () => state !== 'before',
    isText: () => isText,
    /** Returns the meaning of a token for the array's own elements. Throws NotAnArray. */
    take(token: string, isEscaped: boolean): 'opens' | 'separates' | 'closes' | undefined {
      if (token === '"') isText = state === 'element' && (isEscaped || !isText)
      if (token === '"' || isText) return undefined
      if (state === 'before') {
        if (token !== '[') throw new NotAnArray()
        state = 'element'
        return 'opens'
      }
      if (token === '[' || token === '{') depth++
      else if (depth > 0 && token !== ',') depth--
      else if (depth === 0 && token === ',') return 'separates'
      else if (depth === 0 && token === ']') {
        state = 'after'
        return 'closes'
      }
      return undefined
    },
  }
}

/** Reads the elements. Throws NotAnArray if the text is not an array. */
export async function* jsonElements(chunks: AsyncIterable<string>, file: string): AsyncGenerator<Element> {
  const structure = followStructure()
  let line = 1
  let element = ''
  let elementLine = 1
  for await (const chunk of chunks) {
    let start = 0
    for (const { 0: token, index } of chunk.matchAll(tokens)) {
      if (token === '\n') {
        line++
        continue
      }
      const isEscaped: boolean = structure.isText() && backslashesBefore(chunk, index, element) % 2 === 1
      const meaning = structure.take(token, isEscaped)
      if (meaning === undefined) continue
      const text = element + chunk.slice(start, index)
      if (meaning === 'opens' && text.trim() !== '') throw new NotAnArray()
      if (meaning === 'separates' || text.trim() !== '')
        yield { text, line: elementLine + leadingLines(text) }
      if (meaning === 'closes') return
      element = ''
      start = index + 1
      elementLine = line
    }
    if (!structure.hasBegun()) {
      if (chunk.trim() !== '') throw new NotAnArray()
      continue
    }
    element += chunk.slice(start)
    if (element.length > rowLengthMax)
      throw new Refusal(`${file} has a row of more than ${rowLengthMax} characters.`)
  }
  if (!structure.hasBegun()) throw new NotAnArray()
  throw new Refusal(`${file} ends within its array: the closing "]" is not there. Is the file complete?`)
}

/** Thrown for a text that is not an array. */
export class NotAnArray extends Error {}

const tokens = /["[\]{},\n]/g

/** Counts the backslashes directly before a position, including those at the end of the previous chunk. */
function backslashesBefore(chunk: string, index: number, before: string): number {
  let count = 0
  while (index - count > 0 && chunk[index - count - 1] === '\\') count++
  if (index - count > 0) return count
  let at = before.length
  while (at > 0 && before[at - 1] === '\\') at--
  return count + before.length - at
}

/** Counts the line ends before the first character that is not white space. */
const leadingLines = (text: string): number => newlines(/^\s*/.exec(text)?.[0] ?? '')
