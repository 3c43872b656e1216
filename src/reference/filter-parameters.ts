/** The filters of a table as typed query parameters: for each field, the operators that its type has. R2, W3. */
import { type FieldFilter, filtersOf } from '../data/records/schema.ts'
import type { JsonSchema, Parameter } from '../http/openapi/types.ts'
import { type DescribedField, filterSchema } from './record-schemas.ts'

/** One for each field and operator. */
export const filterParameters = (fields: readonly DescribedField[]): Parameter[] =>
  fields.flatMap((field) =>
    filtersOf(field).map((filter) => ({ name: filter.parameter, in: 'query', description: filter.meaning, ...givenAs(field, filter) })),
  )

/** What may be given: one value, a list, or a flag. */
function givenAs(field: DescribedField, { takes, isText }: FieldFilter): Pick<Parameter, 'schema' | 'style' | 'explode'> {
  if (takes === 'flag') return { schema: { type: 'boolean' } }
  const one: JsonSchema = isText ? { type: 'string' } : filterSchema(field)
  if (takes === 'one') return { schema: one }
  const pair = takes === 'pair' ? { minItems: 2, maxItems: 2 } : {}
  return { style: 'form', explode: false, schema: { type: 'array', items: one, ...pair } }
}
