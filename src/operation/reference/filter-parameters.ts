/** The filters of a table as query parameters: for each field, the operators that its type has. R2, W3. */
import { type FieldFilter, filtersOf } from '../../data/records/schema.ts'
import type { JsonSchema, Parameter } from '../../kernel/http/openapi/types.ts'
import { type DescribedField, filterSchema } from './record-schemas.ts'

/** Returns one parameter for each field and operator. */
export const filterParameters = (fields: readonly DescribedField[]): Parameter[] =>
  fields.flatMap((field) =>
    filtersOf(field).map((filter) => ({
      name: filter.parameter,
      in: 'query',
      description: filter.meaning,
      ...describeValue(field, filter),
    })),
  )

/** Returns the schema of a filter's value: a flag, one value, a list or a pair. */
function describeValue(
  field: DescribedField,
  { takes, isText }: FieldFilter,
): Pick<Parameter, 'schema' | 'style' | 'explode'> {
  if (takes === 'flag') return { schema: { type: 'boolean' } }
  const item: JsonSchema = isText ? { type: 'string' } : filterSchema(field)
  if (takes === 'one') return { schema: item }
  const limits = takes === 'pair' ? { minItems: 2, maxItems: 2 } : {}
  return { style: 'form', explode: false, schema: { type: 'array', items: item, ...limits } }
}
