/** Reads the rows of a JSON file: an array, or an object with a member that is the array. */

import { readJsonVerbatim } from '../../../src/kernel/lib/exact-json.ts'
import { parseStrictly } from '../../../src/kernel/lib/parse-json.ts'
import { quoteValue } from '../../../src/kernel/lib/quote-value.ts'
import { faultInJson, isMembers } from '../descriptor.ts'
import { FaultsError } from '../faults.ts'
import { wholeBytesMax } from '../files.ts'
import { messageOf, Refusal } from '../refusal.ts'
import { jsonElements, NotAnArray } from './json-elements.ts'
import { type JsonForm, jsonRowReader } from './json-row.ts'
import type { Row } from './row.ts'

/** Reads the rows of a file. `open` starts reading it. */
export async function* jsonRows(open: () => AsyncIterable<string>, form: JsonForm): AsyncGenerator<Row> {
  const { file, dialect } = form
  if (dialect.property !== undefined) {
    yield* rowsOfValue(await readValue(open(), file), form)
    return
  }
  const rowFor = jsonRowReader(form)
  try {
    for await (const { text, line } of jsonElements(open(), file)) {
      const row = rowFor(parse(text, line, file), line)
      if (row) yield row
    }
  } catch (error) {
    if (!(error instanceof NotAnArray)) throw error
    throw notAnArray(await readValue(open(), file), file)
  }
}

/** Returns the rows of a parsed value. Throws a Refusal if it has none. */
export function* rowsOfValue(value: unknown, form: JsonForm): Generator<Row> {
  const { property } = form.dialect
  const found = property === undefined ? value : property.split('.').reduce(memberOf, value)
  if (!Array.isArray(found)) throw notAnArray(found, form.file, property)
  const rowFor = jsonRowReader(form)
  for (const [index, element] of found.entries()) {
    const row = rowFor(element, index + 1)
    if (row) yield row
  }
}

const memberOf = (value: unknown, name: string): unknown => (isMembers(value) ? value[name] : undefined)

function parse(text: string, line: number, file: string): unknown {
  try {
    return parseStrictly(text, readJsonVerbatim)
  } catch (error) {
    const place = faultInJson(text.trimStart(), messageOf(error))
    throw new FaultsError([{ file, ...place, line: line + (place.line ?? 1) - 1 }])
  }
}

async function readValue(text: AsyncIterable<string>, file: string): Promise<unknown> {
  let whole = ''
  for await (const chunk of text) {
    whole += chunk
    if (whole.length > wholeBytesMax)
      throw new Refusal(`${file} is too large to be read as one object. Save its rows as JSON lines.`)
  }
  return parse(whole, 1, file)
}

function notAnArray(value: unknown, file: string, property?: string): Refusal {
  if (property !== undefined)
    return new Refusal(`${file} has no array ${quoteValue(property)}, which its dialect names as "property".`)
  const arrays = Object.entries(isMembers(value) ? value : {}).filter(([, member]) => Array.isArray(member))
  const [name] = arrays[0] ?? []
  const advice =
    name === undefined
      ? 'Save the rows as an array of objects, or as JSON lines.'
      : `If ${quoteValue(name)} has the rows, say so in the dialect of the resource: {"property": ` +
        `${quoteValue(name)}}.`
  return new Refusal(
    `${file} holds ${isMembers(value) ? 'an object' : quoteValue(value)}, not an array of rows. ${advice}`,
  )
}
