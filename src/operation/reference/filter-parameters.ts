/** The filters of a table as query parameters: for each field, the operators that its type has. R2, W3. */
import { type FieldFilter, filtersOf, overlaps } from '../../data/records/schema.ts'
import { reference } from '../../kernel/http/openapi/components.ts'
import type { JsonSchema, Parameter, Reference } from '../../kernel/http/openapi/types.ts'
import { type DescribedField, type DescribedTable, filterSchema } from './record-schemas.ts'

/** The components of a document to which its operations refer. */
export interface SharedComponents {
  parameters: Record<string, Parameter>
  schemas: Record<string, JsonSchema>
}

/** The names of the components of filters begin with it. */
export const filterPrefix = 'filter.'

/**
 * Adds the parameters of a field's filters to the components, and returns references to them. Tables share
 * the parameters of fields with the same name and type, and all fields of a type share the description of a
 * value.
 */
export const shareFilters = (field: DescribedField, table: string, shared: SharedComponents): Reference[] =>
  filtersOf(field).map((filter) => {
    const { parameter: name, operator, meaning } = filter
    const { schema, ...form } = describeValue(field, filter)
    const ofType = describeValue({ name: field.name, type: field.type }, filter)
    const isOfType = JSON.stringify(schema) === JSON.stringify(ofType.schema)
    const owner = isOfType ? field.type : `${table}.${field.type}`
    const valueName = `${field.type}.${operator}`
    if (isOfType) shared.schemas[valueName] ??= { description: `The field ${meaning}.`, ...schema }
    shared.parameters[`${filterPrefix}${owner}.${name}`] ??= {
      name,
      in: 'query',
      ...(isOfType ? {} : { description: `The field ${meaning}.` }),
      ...form,
      schema: isOfType ? reference('schemas', valueName) : schema,
    }
    return reference('parameters', `${filterPrefix}${owner}.${name}`)
  })

/** Adds the parameters of the filters by the named ranges of a table, and returns references to them. */
export const shareRanges = ({ name: table, schema }: DescribedTable, shared: SharedComponents): Reference[] =>
  Object.entries(schema.ranges ?? {}).map(([range, [from, to]]) => {
    const name = `${filterPrefix}${table}.${range}__${overlaps}`
    shared.parameters[name] = {
      name: `${range}__${overlaps}`,
      in: 'query',
      description:
        `The range from \`${from}\` to \`${to}\` overlaps this one, from the first value to the second. ` +
        'Without one of them, the range is open there.',
      style: 'form',
      explode: false,
      schema: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2 },
    }
    return reference('parameters', name)
  })

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
