/** The keywords of JSON Schema that are understood: one row each. What is none of them is an annotation, as the standard has it. */
import type { Draft } from './drafts.ts'

export type Holds = 'schema' | 'schema or list' | 'list' | 'map' | 'map of schemas or names'

interface Keyword {
  /** The first draft and the last one that know it. */
  since?: Draft['age']
  until?: Draft['age']
  /** Whether what stands there is a schema, or has schemas in it; else it is judged by `problem`. */
  holds?: Holds
  problem?(value: unknown, draft: Draft): string | undefined
}

const isCount = (value: unknown) => typeof value === 'number' && Number.isInteger(value) && value >= 0
const isNames = (value: unknown) => Array.isArray(value) && value.every((name) => typeof name === 'string')
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

const must = (holds: (value: unknown) => boolean, wanted: string) => (value: unknown) => (holds(value) ? undefined : `must be ${wanted}`)

const number: Keyword = { problem: must((value) => typeof value === 'number', 'a number') }
const count: Keyword = { problem: must(isCount, 'a whole number from 0') }
const text: Keyword = { problem: must((value) => typeof value === 'string', 'a string') }
const flag: Keyword = { problem: must((value) => typeof value === 'boolean', 'true or false') }
/** A number of its own; in draft-04 a flag that says how `minimum` or `maximum` is meant. */
const exclusive: Keyword = { problem: (value, draft) => (draft.age === 4 ? flag : number).problem?.(value, draft) }
const name = (pattern: RegExp): Keyword => ({
  problem: must(
    (value) => typeof value === 'string' && pattern.test(value),
    'a name that begins with a letter and has letters, digits, "-", "_" and "."',
  ),
})
const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']
const isType = (value: unknown) => typeof value === 'string' && types.includes(value)

const keywords: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ['$schema', text],
  ['id', { ...text, until: 4 }],
  ['$id', { ...text, since: 6 }],
  ['$anchor', { ...name(/^[A-Za-z_][\w.-]*$/), since: 2019 }],
  ['$ref', text],
  ['$recursiveAnchor', { ...flag, since: 2019, until: 2019 }],
  ['$recursiveRef', { problem: must((value) => value === '#', '"#"'), since: 2019, until: 2019 }],
  ['$dynamicAnchor', { ...name(/^[A-Za-z_][\w.-]*$/), since: 2020 }],
  ['$dynamicRef', { ...text, since: 2020 }],

  [
    'type',
    {
      problem: must(
        (value) => (Array.isArray(value) ? value.length > 0 && value.every(isType) : isType(value)),
        `one or more of ${types.join(', ')}`,
      ),
    },
  ],
  ['const', { since: 6 }],
  ['enum', { problem: must(Array.isArray, 'a list of values') }],

  ['$defs', { holds: 'map' }],
  ['definitions', { holds: 'map' }],
  ['allOf', { holds: 'list' }],
  ['anyOf', { holds: 'list' }],
  ['oneOf', { holds: 'list' }],
  ['not', { holds: 'schema' }],
  ['if', { holds: 'schema', since: 7 }],
  ['then', { holds: 'schema', since: 7 }],
  ['else', { holds: 'schema', since: 7 }],

  ['properties', { holds: 'map' }],
  ['patternProperties', { holds: 'map' }],
  ['additionalProperties', { holds: 'schema' }],
  ['unevaluatedProperties', { holds: 'schema', since: 2019 }],
  ['propertyNames', { holds: 'schema', since: 6 }],
  ['required', { problem: must(isNames, 'a list of names') }],
  ['minProperties', count],
  ['maxProperties', count],
  ['dependentRequired', { problem: must((value) => isObject(value) && Object.values(value).every(isNames), 'lists of names by name'), since: 2019 }],
  ['dependentSchemas', { holds: 'map', since: 2019 }],
  ['dependencies', { holds: 'map of schemas or names' }],

  ['prefixItems', { holds: 'list', since: 2020 }],
  ['items', { holds: 'schema or list' }],
  ['additionalItems', { holds: 'schema', until: 2019 }],
  ['unevaluatedItems', { holds: 'schema', since: 2019 }],
  ['contains', { holds: 'schema', since: 6 }],
  ['minContains', { ...count, since: 2019 }],
  ['maxContains', { ...count, since: 2019 }],
  ['minItems', count],
  ['maxItems', count],
  ['uniqueItems', flag],

  ['minimum', number],
  ['maximum', number],
  ['exclusiveMinimum', exclusive],
  ['exclusiveMaximum', exclusive],
  ['multipleOf', { problem: must((value) => typeof value === 'number' && value > 0, 'a number above 0') }],

  ['minLength', count],
  ['maxLength', count],
  ['pattern', text],
  ['format', text],
])

/** The keyword of this name, where the draft knows it. */
export function keywordOf(name: string, { age }: Draft): Keyword | undefined {
  const keyword = keywords.get(name)
  return keyword && (keyword.since ?? 0) <= age && age <= (keyword.until ?? age) ? keyword : undefined
}
