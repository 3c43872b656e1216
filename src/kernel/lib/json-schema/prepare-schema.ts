/** Prepares a client's JSON Schema for validation, or returns its problems. */

import { compile } from './compile.ts'
import { readDocument } from './document.ts'
import type { Node } from './node.ts'

/** The largest size of a schema, in UTF-16 code units of its JSON text. */
const charactersMax = 65_536

/** A schema that is ready to validate values. */
export interface PreparedSchema {
  root: Node
}

/** Reads and compiles a schema. Returns its problems if it cannot be used. */
export function prepareSchema(schema: unknown): PreparedSchema | { problems: string[] } {
  const text = JSON.stringify(schema)
  if (text.length > charactersMax)
    return { problems: [`The schema has more than ${charactersMax} characters.`] }
  // Parsing the text again makes each subschema a separate object. The object identifies the subschema.
  const document = readDocument(JSON.parse(text))
  if (document.problems.length === 0) compile(document)
  return document.problems.length > 0 ? { problems: document.problems } : { root: document.root }
}
