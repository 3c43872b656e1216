/** Whether a value is one that a type's schema allows. */
import { approximate } from '../../lib/exact-json.ts'
import type { JsonObject } from '../../lib/json-object.ts'
import { prepareSchema } from '../../lib/json-schema/prepare.ts'
import { type FieldProblems, problemsOf } from '../../lib/json-schema/validate.ts'
import { LruCache } from '../../lib/lru-cache.ts'

/** By text: compiling patterns is dear. */
const prepared = new LruCache<string, Prepared>(100)

type Prepared = ReturnType<typeof prepareSchema>

/** Undefined when it fits; a type without schema takes any object. */
export function problemsWith(schema: JsonObject | null, value: unknown): FieldProblems | undefined {
  if (schema === null) return undefined
  const made = preparedFor(schema)
  if (!('problems' in made)) return problemsOf(made, approximate(value))
  // A type that was saved when its schema was still supported.
  return { non_field_errors: [`The schema of this secret type is not supported. Change the type: ${made.problems.join(' ')}`] }
}

function preparedFor(schema: JsonObject): Prepared {
  const text = JSON.stringify(schema)
  const known = prepared.get(text)
  if (known) return known
  const made = prepareSchema(schema)
  prepared.set(text, made)
  return made
}
