/** Validates values by the schemas of their types. */
import { withDoubles } from '../../kernel/lib/exact-json.ts'
import { IsolateCache } from '../../kernel/lib/isolate-cache.ts'
import type { JsonObject } from '../../kernel/lib/json-object.ts'
import { prepareSchema } from '../../kernel/lib/json-schema/prepare-schema.ts'
import { type FieldProblems, problemsOf } from '../../kernel/lib/json-schema/validate.ts'

/** A prepared schema, and the length of its text. */
interface Kept {
  compiled: Prepared
  length: number
}

/** A prepared schema takes about so many times as many bytes as its text has characters. */
const bytesPerCharacter = 45
/** The prepared schemas by their text. They are cached because compiling patterns takes long. */
const prepared = new IsolateCache<Kept>('secret_schemas', {
  bytesOf: ({ length }) => bytesPerCharacter * length,
})

type Prepared = ReturnType<typeof prepareSchema>

/**
 * Returns the problems of a value by field; undefined if it matches the schema. A null schema accepts any
 * object.
 */
export function problemsWith(schema: JsonObject | null, value: unknown): FieldProblems | undefined {
  if (schema === null) return undefined
  const compiled = preparedFor(schema)
  if (!('problems' in compiled)) return problemsOf(compiled, withDoubles(value))
  // The type was saved by an earlier version that still supported its schema.
  const reasons = compiled.problems.join(' ')
  return {
    non_field_errors: [`The schema of this secret type is not supported. Change the type: ${reasons}`],
  }
}

function preparedFor(schema: JsonObject): Prepared {
  const text = JSON.stringify(schema)
  const known = prepared.get(text)
  if (known) return known.compiled
  const compiled = prepareSchema(schema)
  prepared.set(text, { compiled, length: text.length })
  return compiled
}
