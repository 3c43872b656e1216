/** Whether a value is one that a type's schema allows. */
import { approximate } from '../../lib/exact-json.ts'
import type { JsonObject } from '../../lib/json-object.ts'
import { type PreparedSchema, prepareSchema } from '../../lib/json-schema/prepare.ts'
import { type FieldProblems, problemsOf } from '../../lib/json-schema/validate.ts'
import { LruCache } from '../../lib/lru-cache.ts'

/** By text: compiling patterns is dear. */
const prepared = new LruCache<string, PreparedSchema>(100)

/** Undefined when it fits; a type without schema takes any object. */
export function problemsWith(schema: JsonObject | null, value: unknown): FieldProblems | undefined {
  return schema === null ? undefined : problemsOf(preparedFor(schema), approximate(value))
}

function preparedFor(schema: JsonObject): PreparedSchema {
  const text = JSON.stringify(schema)
  const known = prepared.get(text)
  if (known) return known
  const made = prepareSchema(schema)
  if ('problems' in made) throw new Error('a schema is stored that would be refused')
  prepared.set(text, made)
  return made
}
