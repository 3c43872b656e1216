import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { prepareSchema } from '../../src/lib/json-schema/prepare.ts'
import { problemsOf } from '../../src/lib/json-schema/validate.ts'

function judge(schema: unknown, value: unknown) {
  const prepared = prepareSchema(schema)
  if ('problems' in prepared) throw new Error(prepared.problems.join(' '))
  return problemsOf(prepared, value)
}

const draft07 = 'http://json-schema.org/draft-07/schema#'
const canary = 'CANARY-4711'

describe('a schema that is none is refused, with every reason', () => {
  it.each<[string, unknown, string[]]>([
    [
      'a draft that is not known',
      { $schema: 'http://json-schema.org/draft-04/schema#' },
      ['"$schema" names neither the draft 2020-12 nor draft-07.'],
    ],
    [
      'keywords of the wrong types',
      { type: 'strin', required: 'a', minLength: -1 },
      [
        '/type must be one or more of array, boolean, integer, null, number, object, string.',
        '/required must be a list of names.',
        '/minLength must be a whole number from 0.',
      ],
    ],
    [
      'what is no schema, deep inside',
      { properties: { a: { items: 5 }, b: { allOf: [] } } },
      ['/properties/a/items must be a schema: an object, true or false.', '/properties/b/allOf must be a list of schemas.'],
    ],
    ['a remote $ref', { $ref: 'https://example.com/schema' }, ['/$ref must be a place in this schema, beginning with "#".']],
    ['a $ref to nothing', { $ref: '#/$defs/none' }, ['/$ref leads to no schema: #/$defs/none.']],
    ['an $id inside', { $defs: { a: { $id: 'https://example.com/a' } } }, ['/$defs/a/$id is not supported inside of a schema.']],
    ['references that are found at run time', { $dynamicRef: '#a' }, ['/$dynamicRef is not supported: use $ref.']],
    ['look-around', { pattern: 'a(?=b)' }, [expect.stringContaining('/pattern is no regular expression that can be used: ') as never]],
    ['a long pattern', { pattern: 'a'.repeat(501) }, ['/pattern is no regular expression that can be used: a pattern has at most 500 characters.']],
    [
      'a pattern of names that is none',
      { patternProperties: { '(': true } },
      [expect.stringContaining('/patternProperties/( is no regular expression that can be used: ') as never],
    ],
    ['many patterns', { allOf: Array.from({ length: 33 }, (_, index) => ({ pattern: `a${index}` })) }, ['The schema has more than 32 patterns.']],
    ['many schemas', { anyOf: Array(1001).fill({}) }, ['The schema has more than 1000 schemas in it.']],
    ['a schema that is too large', { description: 'a'.repeat(65_536) }, ['The schema has more than 65536 characters.']],
    ['2020-12 with a list of items', { items: [{}] }, ['/items must be a schema.']],
  ])('%s', (_what, schema, problems) => {
    expect(prepareSchema(schema)).toEqual({ problems })
  })

  it('one that is nested too deep', () => {
    const deep = JSON.parse(`${'{"not":'.repeat(40)}{}${'}'.repeat(40)}`)
    expect(prepareSchema(deep)).toEqual({ problems: [`${'/not'.repeat(32)} is nested deeper than 32 levels.`] })
  })
})

describe('a value that does not fit', () => {
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
      { host: ['Ensure this field has at least 2 characters.'], port: ['Ensure this value is greater than or equal to 1.'] },
    ],
    [{ host: 'ab', port: 471.1 }, { port: ['Must be of type integer.'] }],
    [
      { host: 'ab', mode: canary, mail: canary },
      { mode: ['Must be one of: "a","b".'], mail: ['Must be in the format email.'] },
    ],
    [{ host: 'ab', extra: canary }, { extra: ['This field is not allowed.'] }],
    [
      { host: 'ab', hops: [canary, canary, 3] },
      {
        hops: ['Ensure this field has no more than 2 elements.', 'The elements must differ from each other.'],
        'hops.2': ['Must be of type string.'],
      },
    ],
  ])('%j: %j', (value, problems) => {
    const found = judge(server, value)
    expect(found).toEqual(problems)
    expect(JSON.stringify(found ?? {})).not.toContain(canary)
  })

  it.each<[string, unknown, unknown, unknown]>([
    ['$ref and $defs', { $defs: { a: { type: 'string' } }, properties: { x: { $ref: '#/$defs/a' } } }, { x: 1 }, { x: ['Must be of type string.'] }],
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
    ['oneOf, none', { oneOf: [{ required: ['a'] }, { required: ['b'] }] }, {}, { a: ['This field is required.'], b: ['This field is required.'] }],
    [
      'oneOf, several',
      { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      { a: 1, b: 2 },
      {
        non_field_errors: ['Must fit one of the alternatives, and no more than one.'],
      },
    ],
    ['if and then', JSON.parse('{"if": {"required": ["a"]}, "then": {"required": ["b"]}}'), { a: 1 }, { b: ['This field is required.'] }],
    ['not', { not: { required: ['a'] } }, { a: 1 }, { non_field_errors: ['This value is not allowed.'] }],
    ['dependentRequired', { dependentRequired: { a: ['b'] } }, { a: 1 }, { b: ['This field is required.'] }],
    ['propertyNames', { propertyNames: { pattern: '^[a-z]+$' } }, { A: 1 }, { A: ['A field of this name is not allowed.'] }],
    [
      'prefixItems',
      { properties: { l: { prefixItems: [{ type: 'string' }], items: false } } },
      { l: [1, 2] },
      {
        'l.0': ['Must be of type string.'],
        'l.1': ['This field is not allowed.'],
      },
    ],
    [
      'unevaluatedProperties',
      { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
      { a: 1, b: 2 },
      { b: ['This field is not allowed.'] },
    ],
    [
      'draft-07: items as a list',
      { $schema: draft07, properties: { l: { items: [{ type: 'string' }], additionalItems: false } } },
      { l: [1, 2] },
      {
        'l.0': ['Must be of type string.'],
        'l.1': ['This field is not allowed.'],
      },
    ],
    ['draft-07: what only 2020-12 knows is no keyword', { $schema: draft07, dependentRequired: { a: ['b'] } }, { a: 1 }, undefined],
    [
      'names with slashes, dots and quotes',
      { properties: { 'a/b~"c': { type: 'string' } } },
      { 'a/b~"c': 1 },
      { 'a/b~"c': ['Must be of type string.'] },
    ],
    [
      'a format that nobody checks',
      { properties: { a: { format: 'password' }, b: { format: '__proto__' }, c: { format: 'url' } } },
      { a: '1', b: '2', c: '3' },
      undefined,
    ],
    ['keywords that are none', { 'x-secret': true, $recursiveAnchorr: 1, __absolute_ref__: '#/x' }, {}, undefined],
  ])('%s', (_what, schema, value, problems) => {
    expect(judge(schema, value)).toEqual(problems)
  })

  it('names such as __proto__ and constructor are names', () => {
    const schema = JSON.parse(
      '{"properties": {"__proto__": {"type": "string"}, "constructor": {"type": "string"}}, "required": ["__proto__", "toString"]}',
    )
    expect(judge(schema, JSON.parse('{"constructor": 1}'))).toEqual(
      JSON.parse('{"constructor": ["Must be of type string."], "toString": ["This field is required."], "__proto__": ["This field is required."]}'),
    )
    expect(Object.keys(judge(schema, JSON.parse('{"__proto__": 1, "toString": 1}')) ?? {})).toEqual(['__proto__'])
  })
})

describe('patternProperties', () => {
  it('match as RE2 does, in additionalProperties too', () => {
    const name = fc.stringMatching(/^[a-c.*^$|()[\]{}\\/ü-]{1,6}$/)
    const property = fc.property(fc.array(name, { maxLength: 6 }), (names) => {
      const value = Object.fromEntries(names.map((each) => [each, 1]))
      const schema = { patternProperties: { '^a': { type: 'string' }, '[.*]$': true }, additionalProperties: false }
      const expected = Object.keys(value).flatMap((each): [string, string[]][] => {
        if (each.startsWith('a')) return [[each, ['Must be of type string.']]]
        return /[.*]$/.test(each) ? [] : [[each, ['This field is not allowed.']]]
      })
      expect(judge(schema, value) ?? {}).toEqual(Object.fromEntries(expected))
    })
    fc.assert(property, { numRuns: 200 })
  })
})

describe('work', () => {
  const tooMuch = { non_field_errors: ['To judge this value by the schema of its type takes too much work.'] }
  const nested = (depth: number) => JSON.parse(`${'{"x":'.repeat(depth)}1${'}'.repeat(depth)}`)

  it.each<[string, unknown, unknown]>([
    ['a schema that refers to itself', { $ref: '#' }, {}],
    ['two that refer to each other', { $defs: { a: { $ref: '#/$defs/b' }, b: { anyOf: [{ $ref: '#/$defs/a' }] } }, $ref: '#/$defs/a' }, {}],
    ['one that doubles at each level', { allOf: [{ properties: { x: { $ref: '#' } } }, { properties: { x: { $ref: '#' } } }] }, nested(40)],
    [
      'one that compares long lists many times',
      { properties: { l: { allOf: Array(200).fill({ uniqueItems: true }) } } },
      { l: Array.from({ length: 1900 }, (_, n) => n) },
    ],
  ])('%s is given up', (_what, schema, value) => {
    const started = Date.now()
    expect(judge(schema, value)).toEqual(tooMuch)
    expect(Date.now() - started).toBeLessThan(3000)
  })

  it('40 patterns that would take for ever elsewhere take a moment', () => {
    const evil = ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^(.*a){20}$', '^([a-z]+)*!$', '(x+x+)+y', '^(a?){50}a{50}$', '^((a*)*)*$']
    const started = Date.now()
    for (const pattern of evil) {
      for (const text of ['a'.repeat(10_000), `${'a'.repeat(10_000)}!`, 'x'.repeat(10_000), `${'aA'.repeat(5000)}`, '!'.repeat(10_000)]) {
        judge({ properties: { v: { pattern } } }, { v: text })
      }
    }
    // 40 judgements; a machine under load is given its time.
    expect(Date.now() - started).toBeLessThan(10_000)
  })
})
