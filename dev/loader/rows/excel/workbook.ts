/** What the cells of an Excel file refer to: its sheets, its texts, its number formats and its calendar. */
import { posix } from 'node:path'
import { nearest } from '../../../../src/kernel/lib/nearest.ts'
import { quoteValue } from '../../../../src/kernel/lib/quote-value.ts'
import type { Files } from '../../files.ts'
import { Refusal } from '../../refusal.ts'
import { decode } from '../../text.ts'
import { type FormatKind, kindOf } from './number-format.ts'
import { type Element, elements, elementsIn, plainText } from './xml.ts'

/** An opened workbook. */
export interface Workbook {
  /** The path of the part with the rows. */
  sheet: string
  texts: readonly string[]
  /** The kinds of number formats, by the style of a cell. */
  kinds: readonly FormatKind[]
  /** Whether days are counted from 1904. */
  is1904: boolean
}

/** Opens a file. `wanted`: the name or the number of the sheet. Throws a Refusal if it has no such sheet. */
export async function openWorkbook(
  files: Files,
  file: string,
  wanted: string | number | undefined,
): Promise<Workbook> {
  const main = 'xl/workbook.xml'
  if (!files.has(main)) throw new Refusal(`${file} cannot be read as an Excel file: it has no ${main}.`)
  const targets = new Map<string, Element>()
  for (const one of await partOf(files, 'xl/_rels/workbook.xml.rels', ['Relationship']))
    targets.set(one.attributes.Id ?? '', one)
  const pathOf = ({ attributes: { Target = '' } }: Element) =>
    posix.join('xl', Target).replace(/^xl\/\/?xl\//, 'xl/')
  const parts = await partOf(files, main, ['workbookPr', 'sheet'])
  const sheets = parts.flatMap(({ name, attributes }) => {
    const target = name === 'sheet' ? targets.get(attributes.id ?? '') : undefined
    return target ? [{ name: attributes.name ?? '', path: pathOf(target) }] : []
  })
  const found = sheets.find(({ name }, index) =>
    typeof wanted === 'string' ? name === wanted : index === (wanted ?? 1) - 1,
  )
  if (!found)
    throw noSheet(
      file,
      wanted,
      sheets.map(({ name }) => name),
    )
  const ofType = (type: string, usual: string) => {
    const target = [...targets.values()].find(({ attributes }) => attributes.Type?.endsWith(`/${type}`))
    return target ? pathOf(target) : usual
  }
  const isTrue = (value: string | undefined) => value === '1' || value === 'true'
  return {
    sheet: found.path,
    texts: await textsOf(files, ofType('sharedStrings', 'xl/sharedStrings.xml')),
    kinds: await kindsOf(files, ofType('styles', 'xl/styles.xml')),
    is1904: parts.some(({ attributes }) => isTrue(attributes.date1904)),
  }
}

function noSheet(file: string, wanted: string | number | undefined, names: readonly string[]): Refusal {
  const near = typeof wanted === 'string' ? nearest(wanted, names) : undefined
  const hint = near === undefined ? '' : ` Is it ${quoteValue(near)}?`
  const listed = names.map((name) => quoteValue(name)).join(', ')
  return new Refusal(`${file} has no sheet ${JSON.stringify(wanted ?? 1)}. Its sheets are ${listed}.${hint}`)
}

export const textOfPart = (files: Files, path: string): AsyncIterable<string> =>
  decode(files.open(path), undefined, path)

async function partOf(files: Files, path: string, names: readonly string[]): Promise<Element[]> {
  const found: Element[] = []
  if (files.has(path)) for await (const one of elements(textOfPart(files, path), names, path)) found.push(one)
  return found
}

async function textsOf(files: Files, path: string): Promise<string[]> {
  return (await partOf(files, path, ['si'])).map(({ content }) => textOfRuns(content))
}

/** Returns the text of a cell or of a shared text, which may consist of parts with formats of their own. */
export function textOfRuns(content: string): string {
  // The pronunciation of a text is not part of it.
  const runs = content.replace(/<(?:[\w.-]+:)?rPh\b.*?<\/(?:[\w.-]+:)?rPh\s*>/gs, '')
  return elementsIn(runs, 't')
    .map(({ content: text }) => unescaped(plainText(text)))
    .join('')
}

/** Returns a text with the characters that XML cannot contain, which are written as `_x000B_`. */
export const unescaped = (text: string): string =>
  text.replace(/_x([\dA-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

async function kindsOf(files: Files, path: string): Promise<FormatKind[]> {
  const kinds: FormatKind[] = []
  const codes = new Map<number, string>()
  for (const { name, attributes, content } of await partOf(files, path, ['numFmt', 'cellXfs'])) {
    if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
    else
      for (const { attributes: style } of elementsIn(content, 'xf')) {
        const id = Number(style.numFmtId ?? 0)
        kinds.push(kindOf(id, codes.get(id)))
      }
  }
  return kinds
}
