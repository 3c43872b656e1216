/** A table to load: the source of its values, their conversion, and the schema to send. */
import type { Field } from '../../src/data/model/field.ts'
import { compileTable, type Table as Model } from '../../src/data/model/table.ts'
import { parseTableSchema } from '../../src/data/model/table-schema.ts'
import { quoteValue } from '../../src/kernel/lib/quote-value.ts'
import type { Members } from './descriptor.ts'
import type { InferredSchema } from './infer.ts'
import type { Resource } from './package.ts'
import type { Written } from './values.ts'

/** A column of a file and the field that it becomes. */
export interface Column extends Written {
  /** Its name in the file. */
  label: string
  name: string
}

/** A table to load. */
export interface Table {
  resource: Resource
  name: string
  /** The members of the resource to send in addition to its schema. */
  description: string
  /** The columns by their labels. */
  columns: ReadonlyMap<string, Column>
  schema: Members
  model: Model
  /** What its rows tell about its fields, if no schema describes them. */
  inferred: InferredSchema | undefined
  /** Whether columns without a field are ignored. */
  ignoresUnknown: boolean
  /** The datasource that gets it; undefined means the default one. */
  datasource: string | undefined
  /** Whether it gets a physical table. A draft has none, and no records. */
  isMaterialized: boolean
}

/** Compiles a schema as the service does. Returns the problems that the service would report. */
export function compile(name: string, schema: Members): Model | { problems: string[] } {
  const parsed = parseTableSchema(schema)
  if ('problems' in parsed)
    return { problems: parsed.problems.map((problem) => `table ${quoteValue(name)}: ${problem}`) }
  return compileTable(0, {
    id: 0,
    name,
    json_schema: parsed.schema,
    schema_hash: '',
    physical_table_name: name,
    is_materialized: false,
    datasource: { slug: null, providerType: 'flat_table' },
    source: null,
  })
}

/** Tells whether the service gives a field a value if a record does not have it. */
export const fillsItself = (model: Model, field: Field): boolean =>
  field.default !== undefined || field.formula !== undefined || field.generated || field === model.identity

/** Finds the column of a label, without regard to case if the dialect allows it. */
export function columnOf({ columns, resource }: Table, label: string): Column | undefined {
  const exact = columns.get(label) ?? columns.get(label.trim())
  if (exact || resource.dialect.isCaseSensitive) return exact
  const lower = label.trim().toLowerCase()
  return [...columns.values()].find((column) => column.label.toLowerCase() === lower)
}
