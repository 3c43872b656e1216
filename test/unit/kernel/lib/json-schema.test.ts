/** Preparing JSON Schemas and validating values: problems, messages, and bounds on the work. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { prepareSchema } from '../../../../src/kernel/lib/json-schema/prepare-schema.ts'
import { problemsOf } from '../../../../src/kernel/lib/json-schema/validate.ts'
import { cpuMs } from '../../../support/cpu-time.ts'
import { runs } from '../../../support/runs.ts'
import { scaled } from '../../../support/scaled.ts'

function validate(schema: unknown, value: unknown) {
  const prepared = prepareSchema(schema)
  if ('problems' in prepared) throw new Error(prepared.problems.join(' '))
  return problemsOf(prepared, value)
}

const draft07 = 'http://json-schema.org/draft-07/schema#'
const canary = 'CANARY-4711'
const endless = 'refers back to itself without descending into the value, so validation would never end.'

describe('an invalid schema is rejected with all its problems', () => {
  it.each<[string, unknown, string[]]>([
    [
      'an unknown draft',
      { $schema: 'http://json-schema.org/draft-03/schema#' },
      [
        '/$schema must be the URI of draft 04, 06, 07, 2019-09 or 2020-12, for example "https://json-schema.org/draft/2020-12/schema".',
      ],
    ],
    [
      'keywords of the wrong types',
      { type: 'strin', required: 'a', minLength: -1 },
      [
        '/type must be one or more of array, boolean, integer, null, number, object, string.',
        '/required must be an array of names.',
        '/minLength must be a whole number of 0 or more.',
      ],
    ],
    [
      'nested values that are not schemas',
      { properties: { a: { items: 5 }, b: { allOf: [] } } },
      [
        '/properties/a/items must be a schema: an object, true or false.',
        '/properties/b/allOf must be a non-empty array of schemas.',
      ],
    ],
    [
      'a remote $ref',
      { $ref: 'https://example.com/schema' },
      [
        '/$ref refers to another document, which is not fetched: https://example.com/schema. Copy the schema into "$defs" and refer to it as "#/$defs/name".',
      ],
    ],
    [
      'a $ref without a target',
      { $ref: '#/$defs/none' },
      ['/$ref does not refer to a schema in this document: #/$defs/none.'],
    ],
    [
      'a $ref to an array',
      { enum: [[]], $ref: '#/enum/0' },
      ['/$ref does not refer to a schema in this document: #/enum/0.'],
    ],
    [
      'a $ref with invalid escapes',
      { $ref: '#/%ff' },
      ['/$ref does not refer to a schema in this document: #/%ff.'],
    ],
    [
      'a $ref to a schema with an invalid pattern',
      { $ref: '#/x', x: { pattern: '(' } },
      ['/x/pattern is not a supported regular expression: a "(" is not closed.'],
    ],
    [
      'two schemas with the same $id',
      { $defs: { a: { $id: 'https://example.com/a' }, b: { $id: 'https://example.com/a' } } },
      ['/$defs/b/$id is already the URI of another schema.'],
    ],
    [
      'two schemas with the same $anchor',
      { $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } },
      ['/$defs/b has the same anchor as another schema: x.'],
    ],
    [
      'an $id with a fragment',
      { $id: 'https://example.com/a#b' },
      ['/$id must not have a fragment: use "$anchor" instead.'],
    ],
    ['an invalid $id', { $id: 'https://exa mple' }, ['/$id is not a URI reference.']],
    ['a schema that refers to itself', { $ref: '#' }, [`The schema ${endless}`]],
    [
      'two schemas that refer to each other',
      {
        $defs: { a: { $ref: '#/$defs/b' }, b: { anyOf: [{ not: { $ref: '#/$defs/a' } }] } },
        $ref: '#/$defs/a',
      },
      [`/$defs/a ${endless}`],
    ],
    [
      'references that multiply',
      {
        $defs: Object.fromEntries(
          Array.from({ length: 20 }, (_, n) => [
            `d${n}`,
            { allOf: Array(2).fill(n < 19 ? { $ref: `#/$defs/d${n + 1}` } : {}) },
          ]),
        ),
      },
      ['/$defs/d0 takes more than 10000 evaluations for one value: its references multiply each other.'],
    ],
    [
      'look-ahead within a pattern',
      { pattern: 'a(?=b)' },
      [
        expect.stringContaining(
          '/pattern is not a supported regular expression: look-ahead is only supported',
        ) as never,
      ],
    ],
    [
      'a long pattern',
      { pattern: 'a'.repeat(501) },
      ['/pattern is not a supported regular expression: a pattern has at most 500 characters.'],
    ],
    [
      'an invalid pattern of names',
      { patternProperties: { '(': true } },
      [expect.stringContaining('/patternProperties/( is not a supported regular expression: ') as never],
    ],
    [
      'too many patterns',
      { allOf: Array.from({ length: 33 }, (_, index) => ({ pattern: `a${index}` })) },
      ['The schema has more than 32 patterns.'],
    ],
    ['too many schemas', { anyOf: Array(1001).fill({}) }, ['The schema contains more than 1000 schemas.']],
    [
      'a schema that is too large',
      { description: 'a'.repeat(65_536) },
      ['The schema has more than 65536 characters.'],
    ],
    [
      'an array as items in 2020-12',
      { items: [{}] },
      ['/items must be a schema: in draft 2020-12, use "prefixItems" for an array of schemas.'],
    ],
  ])('%s', (_case, schema, problems) => {
    expect(prepareSchema(schema)).toEqual({ problems })
  })

  it('a schema that is nested too deeply', () => {
    const deep = JSON.parse(`${'{"not":'.repeat(40)}{}${'}'.repeat(40)}`)
    expect(prepareSchema(deep)).toEqual({
      problems: [`${'/not'.repeat(32)} is nested deeper than 32 levels.`],
    })
  })
})

describe('the problems of a value', () => {
  const server = {
    type: 'object',
    properties: {
      host: { type: 'string', pattern: '^[a-z.]+$', minLength: 2 },
      port: { type: 'integer', minimum: 1, maximum: 65_535 },
      mode: { enum: ['a', 'b'] },
      mail: { type: 'string', format: 'email' },
      hops: { type: 'array', items: { type: 'string' }, maxItems: 2, uniqueItems: true },
    },
    required: ['host'],
    additionalProperties: false,
  }

  it.each<[unknown, unknown]>([
    [{ host: 'a.b', port: 1, mode: 'a', mail: 'a@b.cd', hops: ['x'] }, undefined],
    [{}, { host: ['This field is required.'] }],
    [{ host: canary }, { host: ['Must match the pattern ^[a-z.]+$'] }],
    [
      { host: 'a', port: 0 },
      {
        host: ['Ensure this field has at least 2 characters.'],
        port: ['Ensure this value is greater than or equal to 1.'],
      },
    ],
    [{ host: 'ab', port: 471.1 }, { port: ['Must be of type integer.'] }],
    [
      { host: 'ab', mode: canary, mail: canary },
      {
        mode: ['Must be one of: "a" or "b".'],
        mail: ['Must be in the format email (for example name@example.com).'],
      },
    ],
    [{ host: 'ab', extra: canary }, { extra: ['This field is not allowed.'] }],
    [
      { host: 'ab', hops: [canary, canary, 3] },
      {
        hops: [
          'Ensure this field has no more than 2 elements.',
          'The elements must be unique: elements 0 and 1 are equal.',
        ],
        'hops.2': ['Must be of type string.'],
      },
    ],
  ])('%j are %j', (value, problems) => {
    const actual = validate(server, value)
    expect(actual).toEqual(problems)
    expect(JSON.stringify(actual ?? {})).not.toContain(canary)
  })

  it.each<[string, unknown, unknown, unknown]>([
    [
      '$ref and $defs',
      { $defs: { a: { type: 'string' } }, properties: { x: { $ref: '#/$defs/a' } } },
      { x: 1 },
      { x: ['Must be of type string.'] },
    ],
    [
      '$anchor',
      { $defs: { a: { $anchor: 'here', type: 'string' } }, properties: { x: { $ref: '#here' } } },
      { x: 1 },
      { x: ['Must be of type string.'] },
    ],
    [
      'recursion',
      { properties: { next: { $ref: '#' }, n: { type: 'number' } } },
      { next: { next: { n: 'x' } } },
      { 'next.next.n': ['Must be of type number.'] },
    ],
    [
      'several types',
      { properties: { a: { type: ['string', 'null'] } } },
      { a: 1 },
      { a: ['Must be of type string or null.'] },
    ],
    [
      'minItems 1',
      { properties: { a: { minItems: 1 } } },
      { a: [] },
      { a: ['Ensure this field has at least 1 element.'] },
    ],
    [
      'anyOf without a match',
      {
        properties: {
          a: { anyOf: [{ type: 'string' }, { properties: { b: { minimum: 3 } }, required: ['c'] }] },
        },
      },
      { a: { b: 1 } },
      {
        a: [
          'Must match at least one of 2 alternatives: (1) Must be of type string. (2) c: This field is required. b: Ensure this value is greater than or equal to 3.',
        ],
      },
    ],
    [
      'oneOf without a match',
      { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      {},
      {
        non_field_errors: [
          'Must match exactly one of 2 alternatives: (1) a: This field is required. (2) b: This field is required.',
        ],
      },
    ],
    [
      'oneOf with several matches',
      { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      { a: 1, b: 2 },
      {
        non_field_errors: [
          'Must match exactly one of the 2 alternatives, but matches number 1 and number 2.',
        ],
      },
    ],
    ['anyOf with one schema', { anyOf: [{ required: ['a'] }] }, {}, { a: ['This field is required.'] }],
    [
      'if and then',
      JSON.parse('{"if": {"required": ["a"]}, "then": {"required": ["b"]}}'),
      { a: 1 },
      { b: ['This field is required.'] },
    ],
    ['not', { not: { required: ['a'] } }, { a: 1 }, { non_field_errors: ['Must not have the field "a".'] }],
    [
      'not with several keywords',
      { properties: { a: { not: { type: 'string', minLength: 2 } } } },
      { a: 'bb' },
      { a: ['Must not match the schema at /properties/a/not.'] },
    ],
    [
      'contains',
      { properties: { l: { contains: { type: 'string' } } } },
      { l: [1] },
      { l: ['At least 1 element must be of type string.'] },
    ],
    [
      'maxContains',
      { properties: { l: { contains: { const: 1 }, maxContains: 1 } } },
      { l: [1, 1] },
      { l: ['No more than 1 element may be 1.'] },
    ],
    [
      'an enum without values',
      { properties: { a: { enum: [] } } },
      { a: 1 },
      { a: ['No value is allowed here.'] },
    ],
    [
      'dependentRequired',
      { dependentRequired: { a: ['b'] } },
      { a: 1 },
      { b: ['This field is required when "a" is given.'] },
    ],
    [
      'propertyNames',
      { propertyNames: { pattern: '^[a-z]+$' } },
      { A: 1 },
      { A: ['This field name is not allowed. Must match the pattern ^[a-z]+$'] },
    ],
    [
      'prefixItems',
      { properties: { l: { prefixItems: [{ type: 'string' }], items: false } } },
      { l: [1, 2] },
      {
        'l.0': ['Must be of type string.'],
        'l.1': ['This element is not allowed.'],
      },
    ],
    [
      'unevaluatedProperties',
      { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
      { a: 1, b: 2 },
      { b: ['This field is not allowed.'] },
    ],
    [
      'draft-07: items as an array',
      { $schema: draft07, properties: { l: { items: [{ type: 'string' }], additionalItems: false } } },
      { l: [1, 2] },
      {
        'l.0': ['Must be of type string.'],
        'l.1': ['This element is not allowed.'],
      },
    ],
    [
      'draft-07: keywords of 2020-12 are ignored',
      { $schema: draft07, dependentRequired: { a: ['b'] } },
      { a: 1 },
      undefined,
    ],
    [
      'names with slashes, dots and quotes',
      { properties: { 'a/b~"c': { type: 'string' } } },
      { 'a/b~"c': 1 },
      { 'a/b~"c': ['Must be of type string.'] },
    ],
    [
      'an unknown format',
      { properties: { a: { format: 'password' }, b: { format: '__proto__' }, c: { format: 'url' } } },
      { a: '1', b: '2', c: '3' },
      undefined,
    ],
    ['unknown keywords', { 'x-secret': true, $recursiveAnchorr: 1, __absolute_ref__: '#/x' }, {}, undefined],
  ])('are found for %s', (_case, schema, value, problems) => {
    expect(validate(schema, value)).toEqual(problems)
  })

  it('are also found in members called __proto__ and constructor', () => {
    const schema = JSON.parse(
      '{"properties": {"__proto__": {"type": "string"}, "constructor": {"type": "string"}}, "required": ["__proto__", "toString"]}',
    )
    expect(validate(schema, JSON.parse('{"constructor": 1}'))).toEqual(
      JSON.parse(
        '{"constructor": ["Must be of type string."], "toString": ["This field is required."], "__proto__": ["This field is required."]}',
      ),
    )
    expect(Object.keys(validate(schema, JSON.parse('{"__proto__": 1, "toString": 1}')) ?? {})).toEqual([
      '__proto__',
    ])
  })
})

describe('patternProperties', () => {
  it('decides which members are additional properties', () => {
    const name = fc.stringMatching(/^[a-c.*^$|()[\]{}\\/ü-]{1,6}$/)
    const property = fc.property(fc.array(name, { maxLength: 6 }), (names) => {
      const value = Object.fromEntries(names.map((each) => [each, 1]))
      const schema = {
        patternProperties: { '^a': { type: 'string' }, '[.*]$': true },
        additionalProperties: false,
      }
      const expected = Object.keys(value).flatMap((each): [string, string[]][] => {
        if (each.startsWith('a')) return [[each, ['Must be of type string.']]]
        return /[.*]$/.test(each) ? [] : [[each, ['This field is not allowed.']]]
      })
      expect(validate(schema, value) ?? {}).toEqual(Object.fromEntries(expected))
    })
    fc.assert(property, { numRuns: runs(100, 2_000) })
  })
})

describe('the work of a validation', () => {
  const tooMuch = {
    non_field_errors: ['Validating this value against the schema of its type takes too long.'],
  }
  const nested = (depth: number) => JSON.parse(`${'{"x":'.repeat(depth)}1${'}'.repeat(depth)}`)

  it.each<[string, unknown, unknown]>([
    [
      'recursion that doubles at each level',
      { allOf: [{ properties: { x: { $ref: '#' } } }, { properties: { x: { $ref: '#' } } }] },
      nested(40),
    ],
    [
      'long arrays compared many times',
      { properties: { l: { allOf: Array(200).fill({ uniqueItems: true }) } } },
      { l: Array.from({ length: 1900 }, (_, n) => n) },
    ],
    [
      '20,000 objects of which no two may be equal',
      { properties: { l: { uniqueItems: true } } },
      { l: Array.from({ length: 20_000 }, (_, n) => ({ a: n, b: `${n}`, c: true })) },
    ],
  ])('is limited for %s', async (_what, schema, value) => {
    const took = await cpuMs(() => expect(validate(schema, value)).toEqual(tooMuch))
    expect(took).toBeLessThan(scaled(3000))
  })

  it('is small for patterns that take exponential time in other engines', async () => {
    const evil = [
      '^(a+)+$',
      '^(a|a)*$',
      '^(a|aa)+$',
      '^(.*a){20}$',
      '^([a-z]+)*!$',
      '(x+x+)+y',
      '^(a?){50}a{50}$',
      '^((a*)*)*$',
    ]
    const took = await cpuMs(() => {
      for (const pattern of evil) {
        for (const text of [
          'a'.repeat(10_000),
          `${'a'.repeat(10_000)}!`,
          'x'.repeat(10_000),
          `${'aA'.repeat(5000)}`,
          '!'.repeat(10_000),
        ]) {
          validate({ properties: { v: { pattern } } }, { v: text })
        }
      }
    })
    expect(took).toBeLessThan(scaled(10_000))
  })
})
