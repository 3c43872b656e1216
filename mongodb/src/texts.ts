/** Writes texts of many records: JSON arrays, and lines of JSON or of CSV. */
import type { FieldForm, TextForm } from '../../src/data/providers/mongodb/read-forms.ts'
import { Refusal } from './failures.ts'
import { decode, valueAt } from './values.ts'

const lineEnds = { ndjson: '\n', csv: '\r\n' } as const

type Form = { [Member in keyof TextForm]: TextForm[Member] | undefined } & { bytesMax: number }

/** Collects the texts of items. `add` throws a Refusal once they are too long. */
export function textsOf({ form, bytesMax }: Form) {
  const end = form ? lineEnds[form] : ','
  const texts: string[] = []
  let bytes = 2
  return {
    add(text: string) {
      bytes += Buffer.byteLength(text) + end.length
      if (bytes > bytesMax) throw new Refusal('answer too large', 'The answer is too large.')
      texts.push(text)
    },
    /** Returns all of them as one, the last first if the order `isReversed`. */
    all(isReversed = false) {
      const ordered = isReversed ? texts.toReversed() : texts
      return form ? ordered.map((text) => text + end).join('') : `[${ordered.join(end)}]`
    },
  }
}

/** Writes the texts of items one after another. Throws a Refusal if that is too long. */
export function textOfAll<Item>(items: readonly Item[], write: (item: Item) => string, form: Form): string {
  const texts = textsOf(form)
  for (const item of items) texts.add(write(item))
  return texts.all()
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
