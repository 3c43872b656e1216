/** Makes of a client's JSON Schema one that can be trusted with work, or says what is wrong with it. */

import { compile } from './compile.ts'
import type { Node } from './document.ts'
import { readDocument } from './document.ts'

const charactersMax = 65_536

export interface PreparedSchema {
  root: Node
}

export function prepareSchema(schema: unknown): PreparedSchema | { problems: string[] } {
  const text = JSON.stringify(schema)
  if (text.length > charactersMax) return { problems: [`The schema has more than ${charactersMax} characters.`] }
  // Read anew, every schema in it is an object of its own.
  const document = readDocument(JSON.parse(text))
  if (document.problems.length === 0) compile(document)
  return document.problems.length > 0 ? { problems: document.problems } : { root: document.root }
}
