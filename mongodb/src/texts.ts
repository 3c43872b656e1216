/** Writes texts of many records: JSON arrays, and lines of JSON or of CSV. */
import type { FieldForm, TextForm } from '../../src/data/providers/mongodb/read-forms.ts'
import { Refusal } from './failures.ts'
import { decode, valueAt } from './values.ts'

const lineEnds = { ndjson: '\n', csv: '\r\n' } as const

/** Writes the texts of items one after another. Throws a Refusal if that is too long. */
export function textOfAll<Item>(
  items: readonly Item[],
  write: (item: Item) => string,
  { form, bytesMax }: { [Member in keyof TextForm]: TextForm[Member] | undefined } & { bytesMax: number },
): string {
  const end = form ? lineEnds[form] : ','
  let bytes = 2
  const texts = items.map((item) => {
    const text = write(item)
    bytes += Buffer.byteLength(text) + end.length
    if (bytes > bytesMax) throw new Refusal('answer too large', 'The answer is too large.')
    return text
  })
  return form ? texts.map((text) => text + end).join('') : `[${texts.join(end)}]`
}

/** The types whose texts are in quotes in CSV. All others have nothing that needs them. */
const quotedTypes: ReadonlySet<string> = new Set(['string', 'object', 'array', 'list', 'JSON', 'json'])

/** Writes the JSON of a value as a cell of CSV. */
export function csvCell(type: string, json: string): string {
  if (json === 'null') return ''
  const text = json.startsWith('"') ? (JSON.parse(json) as string) : json
  return quotedTypes.has(type) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Writes a document as a line of CSV. */
export const csvText = (document: Readonly<Record<string, unknown>>, fields: readonly FieldForm[]): string =>
  fields.map(({ path, type }) => csvCell(type, decode(type, valueAt(document, path)))).join(',')
