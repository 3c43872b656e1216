/** The keywords of JSON Schema that are understood: one row each. What is none of them is an annotation, as the standard has it. */
export type Draft = '2020-12' | '7'

/** By the `$schema` that names it, without its fragment. */
export const drafts: ReadonlyMap<unknown, Draft> = new Map<unknown, Draft>([
  [undefined, '2020-12'],
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  ['http://json-schema.org/draft-07/schema', '7'],
  ['https://json-schema.org/draft-07/schema', '7'],
])

interface Keyword {
  /** Whether what stands there is a schema, or has schemas in it; else it is judged by `problem`. */
  holds?: 'schema' | 'schema or list' | 'list' | 'map' | 'map of schemas or names'
  problem?(value: unknown): string | undefined
  /** The draft that alone knows it. */
  only?: Draft
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0
const isNames = (value: unknown) => Array.isArray(value) && value.every((name) => typeof name === 'string')
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

const must = (holds: (value: unknown) => boolean, wanted: string) => (value: unknown) => (holds(value) ? undefined : `must be ${wanted}`)

const number: Keyword = { problem: must((value) => typeof value === 'number', 'a number') }
const count: Keyword = { problem: must(isCount, 'a whole number from 0') }
const text: Keyword = { problem: must((value) => typeof value === 'string', 'a string') }
const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']
const isType = (value: unknown) => types.includes(value as string)
const unsupported = (instead: string): Keyword => ({ problem: () => `is not supported: ${instead}` })
const noDynamics = unsupported('use $ref')

export const keywords: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  [
    'type',
    {
      problem: must(
        (value) => (Array.isArray(value) ? value.length > 0 && value.every(isType) : isType(value)),
        `one or more of ${types.join(', ')}`,
      ),
    },
  ],
  ['const', {}],
  ['enum', { problem: must((value) => Array.isArray(value) && value.length > 0, 'a list of values') }],
  ['$ref', { problem: must((value) => typeof value === 'string' && value.startsWith('#'), 'a place in this schema, beginning with "#"') }],
  ['$anchor', { ...text, only: '2020-12' }],
  ['$dynamicRef', noDynamics],
  ['$dynamicAnchor', noDynamics],
  ['$recursiveRef', noDynamics],
  ['$recursiveAnchor', noDynamics],

  ['$defs', { holds: 'map' }],
  ['definitions', { holds: 'map' }],
  ['allOf', { holds: 'list' }],
  ['anyOf', { holds: 'list' }],
  ['oneOf', { holds: 'list' }],
  ['not', { holds: 'schema' }],
  ['if', { holds: 'schema' }],
  ['then', { holds: 'schema' }],
  ['else', { holds: 'schema' }],

  ['properties', { holds: 'map' }],
  ['patternProperties', { holds: 'map' }],
  ['additionalProperties', { holds: 'schema' }],
  ['unevaluatedProperties', { holds: 'schema', only: '2020-12' }],
  ['propertyNames', { holds: 'schema' }],
  ['required', { problem: must(isNames, 'a list of names') }],
  ['minProperties', count],
  ['maxProperties', count],
  [
    'dependentRequired',
    { problem: must((value) => isObject(value) && Object.values(value).every(isNames), 'lists of names by name'), only: '2020-12' },
  ],
  ['dependentSchemas', { holds: 'map', only: '2020-12' }],
  ['dependencies', { holds: 'map of schemas or names' }],

  ['prefixItems', { holds: 'list', only: '2020-12' }],
  ['items', { holds: 'schema or list' }],
  ['additionalItems', { holds: 'schema', only: '7' }],
  ['unevaluatedItems', { holds: 'schema', only: '2020-12' }],
  ['contains', { holds: 'schema' }],
  ['minContains', { ...count, only: '2020-12' }],
  ['maxContains', { ...count, only: '2020-12' }],
  ['minItems', count],
  ['maxItems', count],
  ['uniqueItems', { problem: must((value) => typeof value === 'boolean', 'true or false') }],

  ['minimum', number],
  ['maximum', number],
  ['exclusiveMinimum', number],
  ['exclusiveMaximum', number],
  ['multipleOf', { problem: must((value) => typeof value === 'number' && value > 0, 'a number above 0') }],

  ['minLength', count],
  ['maxLength', count],
  ['pattern', text],
  ['format', text],
])

/** The formats that are checked; of any other name nothing is said, as the standard has it. */
export const formats: ReadonlySet<unknown> = new Set([
  'date',
  'time',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'uri-template',
  'uuid',
  'json-pointer',
  'relative-json-pointer',
])
