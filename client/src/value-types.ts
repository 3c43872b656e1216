/** The types of the values of fields, from their schemas in the document of an app. */
import { quoted } from './typescript-text.ts'

export interface SchemaPart {
  type?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly SchemaPart[]
  description?: string
  properties?: Readonly<Record<string, SchemaPart>>
  required?: readonly string[]
  /** Whether Postgres computes the field, so that records are not written with it. */
  readOnly?: boolean
  'x-type'?: string
  'x-schema-hash'?: string
  'x-primary-key'?: readonly string[]
  'x-ranges'?: Readonly<Record<string, readonly [from: string, to: string]>>
  'x-relationships'?: Readonly<
    Record<string, { to: string; table: string; nullable: boolean; hideable?: boolean }>
  >
}

/** Returns the schema of a field's values except null. */
export const plain = (field: SchemaPart): SchemaPart =>
  field.anyOf?.find(({ type }) => type !== 'null') ?? field
export const descriptionOf = (field: SchemaPart) => field.description ?? plain(field).description

const jsonObject = '{ readonly [name: string]: Json }'
/** The type of values by the type in JSON Schema. */
const types: ReadonlyMap<unknown, string> = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['array', 'readonly Json[]'],
  ['object', jsonObject],
])
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a type
const exactInteger = 'number | `${bigint}`'

export function valueType(field: SchemaPart, exact: boolean): string {
  const { type, enum: values } = plain(field)
  // If an integer may be a string of digits, its type in the document is a list.
  const integer = exact ? exactInteger : 'number'
  const own = Array.isArray(type) ? integer : (types.get(type) ?? 'Json')
  const text = values && values.length > 0 && !isJson(type) ? values.map(literal).join(' | ') : own
  return field.anyOf && text !== 'Json' ? `${text} | null` : text
}

/** Returns the type of one value: its own, or that of JSON for what is not a plain value. */
function literal(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  return ['number', 'boolean'].includes(typeof value) || value === null ? String(value) : 'Json'
}

const isJson = (type: unknown): boolean => type === 'object' || type === 'array' || type === undefined

/** The operators of filters on a field, by its type in the table's schema. */
const kinds: ReadonlyMap<unknown, string> = new Map([
  ['integer', 'number'],
  ['number', 'number'],
  ['year', 'number'],
  ['boolean', 'boolean'],
  ['time', 'ordered'],
  ['uuid', 'ordered'],
  ['date', 'instant'],
  ['datetime', 'instant'],
  ['duration', 'duration'],
])

export const kindOf = (field: SchemaPart): string =>
  isJson(plain(field).type) ? 'json' : (kinds.get(field['x-type']) ?? 'text')
