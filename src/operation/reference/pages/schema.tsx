/** Shows a JSON Schema as a list of its members, each with its type and its description. */
import type { JsonSchema } from '../../../kernel/http/openapi/types.ts'
import type { Schemas } from '../operations.ts'
import { targetOf } from '../sample.ts'
import { counted } from './counted.ts'
import { Inline } from './text.tsx'

interface SchemaProps {
  schema: JsonSchema
  schemas: Schemas
  /** The schemas that contain this one. They are not shown again, so that a recursive schema ends. */
  around?: readonly JsonSchema[]
}

const depthMax = 4

/** Shows the type of a value, and the members of objects in it. */
export const SchemaView = ({ schema, schemas }: SchemaProps) => (
  <div class="schema">
    <p>
      <span class="type">{describeType(schema, schemas)}</span>
    </p>
    <Members schema={schema} schemas={schemas} />
  </div>
)

const Members = ({ schema, schemas, around = [] }: SchemaProps) => {
  const members = membersOf(schema, schemas)
  const own = targetOf(schema, schemas)
  if (members.length === 0 || around.includes(own) || around.length >= depthMax) return null
  return (
    <ul class="members">
      {members.map(({ name, member, isRequired }) => (
        <li>
          <code>{name}</code>{' '}
          <span class="type">
            {describeType(member, schemas)}
            {isRequired ? ', required' : ''}
          </span>
          {describe(member, schemas)}
          <Nested schema={member} schemas={schemas} around={[...around, own]} />
        </li>
      ))}
    </ul>
  )
}

const Nested = ({ schema, schemas, around = [] }: SchemaProps) => {
  const members = membersOf(schema, schemas)
  if (members.length === 0 || around.length >= depthMax) return null
  return (
    <details>
      <summary>{counted(members.length, 'member')}</summary>
      <Members schema={schema} schemas={schemas} around={around} />
    </details>
  )
}

function describe(member: JsonSchema, schemas: Schemas) {
  const text = member.description ?? targetOf(member, schemas).description
  return text === undefined ? null : (
    <p>
      <Inline text={String(text)} />
    </p>
  )
}

interface Member {
  name: string
  member: JsonSchema
  isRequired: boolean
}

const listOf = (value: unknown): JsonSchema[] => (Array.isArray(value) ? (value as JsonSchema[]) : [])

/** Returns the members of an object, of the items of a list, and of the parts that a schema combines. */
function membersOf(declared: JsonSchema, schemas: Schemas): Member[] {
  const schema = targetOf(declared, schemas)
  const required = Array.isArray(schema.required) ? schema.required : []
  const own = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(
    ([name, member]) => ({ name, member, isRequired: required.includes(name) }),
  )
  if (own.length > 0) return own
  if (schema.items) return membersOf(schema.items as JsonSchema, schemas)
  const parts = [...listOf(schema.allOf), ...listOf(schema.anyOf), ...listOf(schema.oneOf)]
  return parts.map((part) => membersOf(part, schemas)).find((members) => members.length > 0) ?? []
}

const bounds: readonly [keyword: string, words: string][] = [
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['exclusiveMinimum', 'more than'],
  ['exclusiveMaximum', 'less than'],
  ['minLength', 'length at least'],
  ['maxLength', 'length at most'],
  ['minItems', 'items at least'],
  ['maxItems', 'items at most'],
  ['pattern', 'matches'],
  ['default', 'default'],
]

/** Describes the type of a value in a few words. */
export function describeType(declared: JsonSchema, schemas: Schemas): string {
  const schema = targetOf(declared, schemas)
  const variants = [...listOf(schema.anyOf), ...listOf(schema.oneOf)]
  if (variants.length > 0)
    return [...new Set(variants.map((variant) => describeType(variant, schemas)))].join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const said = bounds.flatMap(([keyword, words]) =>
    schema[keyword] === undefined ? [] : [`${words} ${asText(schema[keyword])}`],
  )
  return [nameOf(schema, schemas), ...said].join(', ')
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function nameOf(schema: JsonSchema, schemas: Schemas): string {
  const { type, format, items } = schema
  if (type === 'array' && items) return `list of ${describeType(items as JsonSchema, schemas)}`
  const name = Array.isArray(type)
    ? type.join(' or ')
    : String(type ?? (schema.properties ? 'object' : 'any'))
  return format === undefined ? name : `${name} (${format})`
}
