/** Reads the parts of an Excel file: elements of XML one by one, while the text is read. */
import { Refusal } from '../../refusal.ts'
import { rowLengthMax } from '../../text.ts'

/** An element without elements of the same name inside. */
export interface Element {
  name: string
  attributes: Readonly<Record<string, string>>
  /** The text between its tags. */
  content: string
}

const attributePattern = '\\s+(?:[\\w.-]+:)?([\\w.-]+)\\s*=\\s*("[^"]*"|\'[^\']*\')'
const opening = (names: readonly string[]): string =>
  `<(?:[\\w.-]+:)?(${names.join('|')})((?:${attributePattern})*)\\s*`
const closing = (name: string): string => `</(?:[\\w.-]+:)?${name}\\s*>`

/** Returns the elements with one of the names, in order. */
export async function* elements(
  text: AsyncIterable<string>,
  names: readonly string[],
  file: string,
): AsyncGenerator<Element> {
  const tag = new RegExp(`${opening(names)}(/?)>`, 'g')
  const closes = new Map(names.map((name) => [name, new RegExp(closing(name), 'g')]))
  let rest = ''
  for await (const chunk of text) {
    rest += chunk
    let read = 0
    tag.lastIndex = 0
    for (;;) {
      const found = tag.exec(rest)
      if (!found) {
        // A tag may go on in the next chunk.
        read = Math.max(read, rest.lastIndexOf('<'))
        break
      }
      const [, name = '', attributes = ''] = found
      const start = tag.lastIndex
      const close = closes.get(name) as RegExp
      close.lastIndex = start
      const isEmpty = found.at(-1) === '/'
      const end = isEmpty ? undefined : close.exec(rest)
      if (end === null) {
        read = found.index
        break
      }
      yield { name, attributes: attributesOf(attributes), content: end ? rest.slice(start, end.index) : '' }
      read = end ? close.lastIndex : start
      tag.lastIndex = read
    }
    rest = rest.slice(read)
    if (rest.length > rowLengthMax)
      throw new Refusal(`${file} has a row of more than ${rowLengthMax} characters.`)
  }
}

export function elementsIn(text: string, name: string): Element[] {
  const pattern = new RegExp(`${opening([name])}(?:/>|>(.*?)${closing(name)})`, 'gs')
  return [...text.matchAll(pattern)].map((found) => ({
    name,
    attributes: attributesOf(found[2] ?? ''),
    content: found.at(-1) ?? '',
  }))
}

/** Returns the attributes by their names without prefixes. */
const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(new RegExp(attributePattern, 'g'))].map(([, name = '', value = '']) => [
      name,
      plainText(value.slice(1, -1)),
    ]),
  )

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Returns the text that is written with entities. */
export const plainText = (text: string): string =>
  text
    .replace(/<!\[CDATA\[(.*?)\]\]>/gs, (_, data: string) => data.replaceAll('&', '&amp;'))
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (written, decimal, hex, name) => {
      if (name) return entities[name] ?? written
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : written
    })
