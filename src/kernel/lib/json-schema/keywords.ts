/**
 * The supported keywords of JSON Schema: one row each. As the standard requires, unknown keywords are
 * annotations.
 */
import type { Draft } from './drafts.ts'

/** The kinds of values with subschemas that a keyword may have. */
export type Holds = 'schema' | 'schema or list' | 'list' | 'map' | 'map of schemas or names'

interface Keyword {
  /** The first and the last draft that has this keyword. */
  since?: Draft['age']
  until?: Draft['age']
  /** The kind of subschemas in the value of the keyword. Omitted: none, and `problem` checks the value. */
  holds?: Holds
  /** Returns the problems of the value; undefined if it is valid. */
  problem?(value: unknown, draft: Draft): string | undefined
}

const isCount = (value: unknown) => typeof value === 'number' && Number.isInteger(value) && value >= 0
const isNames = (value: unknown) => Array.isArray(value) && value.every((name) => typeof name === 'string')
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const must = (isValid: (value: unknown) => boolean, expected: string) => (value: unknown) =>
  isValid(value) ? undefined : `must be ${expected}`

const number: Keyword = { problem: must((value) => typeof value === 'number', 'a number') }
const count: Keyword = { problem: must(isCount, 'a whole number of 0 or more') }
const text: Keyword = { problem: must((value) => typeof value === 'string', 'a string') }
const flag: Keyword = { problem: must((value) => typeof value === 'boolean', 'true or false') }
/** A number. In draft-04, a boolean that modifies `minimum` or `maximum`. */
const exclusive: Keyword = {
  problem: (value, draft) => (draft.age === 4 ? flag : number).problem?.(value, draft),
}
const name = (pattern: RegExp): Keyword => ({
  problem: must(
    (value) => typeof value === 'string' && pattern.test(value),
    'a name that begins with a letter and consists of letters, digits, "-", "_" and "."',
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
  ['enum', { problem: must(Array.isArray, 'an array') }],

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
  ['required', { problem: must(isNames, 'an array of names') }],
  ['minProperties', count],
  ['maxProperties', count],
  [
    'dependentRequired',
    {
      problem: must(
        (value) => isObject(value) && Object.values(value).every(isNames),
        'an object with arrays of names',
      ),
      since: 2019,
    },
  ],
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
  [
    'multipleOf',
    { problem: must((value) => typeof value === 'number' && value > 0, 'a number greater than 0') },
  ],

  ['minLength', count],
  ['maxLength', count],
  ['pattern', text],
  ['format', text],
])

/** Returns the keyword with this name; undefined if the draft does not have it. */
export function keywordOf(name: string, { age }: Draft): Keyword | undefined {
  const keyword = keywords.get(name)
  return keyword && (keyword.since ?? 0) <= age && age <= (keyword.until ?? age) ? keyword : undefined
}
