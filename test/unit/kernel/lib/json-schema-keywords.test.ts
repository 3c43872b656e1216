/** Validates values with each keyword of JSON Schema, in each draft that has the keyword. */
import { describe, expect, it } from 'vitest'
import { prepareSchema } from '../../../../src/kernel/lib/json-schema/prepare-schema.ts'
import { problemsOf } from '../../../../src/kernel/lib/json-schema/validate.ts'

const addresses: Record<string, string> = {
  '04': 'http://json-schema.org/draft-04/schema#',
  '06': 'http://json-schema.org/draft-06/schema#',
  '07': 'https://json-schema.org/draft-07/schema',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
}
const all = Object.keys(addresses)
const from06 = all.slice(1)
const from07 = all.slice(2)
const from2019 = all.slice(3)
const old = all.slice(0, 3)
const to2019 = all.slice(0, 4)

const rows: [
  title: string,
  drafts: readonly string[],
  schema: object,
  valid: unknown[],
  invalid: unknown[],
][] = [
  ['type: integer takes numbers without a fraction', all, { type: 'integer' }, [1, -2, 3.0, 1e300], [1.5, '1', true, null]],
  ['type: number', all, { type: 'number' }, [1, 1.5], ['1', null, []]],
  ['type: object is neither null nor an array', all, { type: 'object' }, [{}], [null, [], 'x']],
  ['type: a list', all, { type: ['null', 'array'] }, [null, []], [{}, false]],
  ['const compares as JSON', from06, { const: { a: [1, { b: null }] } }, [{ a: [1.0, { b: null }] }], [{ a: [1, {}] }, { a: [1] }, [1]]],
  ['const: false is not 0', from06, { const: false }, [false], [0, null, '', []]],
  ['const is not a keyword of draft-04', ['04'], { const: 1 }, [2], []],
  ['enum', all, { enum: [1, '1', [1], { a: 1, b: 2 }, null] }, [1, '1', [1], { b: 2, a: 1 }, null], [true, [1, 1], { a: 1 }, '[1]']],
  ['enum without values', all, { enum: [] }, [], [null, 1, {}]],

  ['minimum, maximum', all, { minimum: -1, maximum: 2.5 }, [-1, 2.5, 'x'], [-1.01, 3]],
  ['exclusiveMinimum, exclusiveMaximum', from06, { exclusiveMinimum: 1, exclusiveMaximum: 2 }, [1.5, 'x'], [1, 2]],
  ['exclusiveMinimum, exclusiveMaximum: true in draft-04', ['04'], { minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: true }, [1.5], [1, 2]],
  ['exclusiveMinimum: false in draft-04', ['04'], { minimum: 1, exclusiveMinimum: false }, [1], [0]],
  ['multipleOf compares decimals', all, { multipleOf: 0.01 }, [4.35, 0.07, 1.13, 0, 12e20, 'x'], [0.075, 4.356]],
  ['multipleOf of small numbers', all, { multipleOf: 1e-8 }, [12391239123, 3e-8], [1.5e-8]],
  ['multipleOf of large numbers', all, { multipleOf: 0.123456789 }, [0], [1e308]],

  ['minLength, maxLength count characters', all, { minLength: 2, maxLength: 2 }, ['ab', '🐲🐲', 1], ['a', '🐲', 'abc']],
  ['pattern matches anywhere', all, { pattern: 'b+' }, ['abba', 1], ['a']],
  ['pattern: $ is the end, and not the end of a line', all, { pattern: '^a$' }, ['a'], ['a\n', '\na']],

  ['minItems, maxItems', all, { minItems: 1, maxItems: 2 }, [[1], [1, 2], 'x'], [[], [1, 2, 3]]],
  ['uniqueItems', all, { uniqueItems: true }, [[1, '1', true, [1], { a: 1 }], 'x'], [[1, 1.0], [{ a: 1, b: 2 }, { b: 2, a: 1 }], [[{}], [{}]]]],
  ['uniqueItems distinguishes a string from the value that it looks like', all, { uniqueItems: true }, [['[1]', [1], '{}', {}, 'null', null, 'true', true]], []],
  ['items', all, { items: { type: 'string' } }, [['a'], [], 1], [['a', 1]]],
  ['items as an array, and additionalItems', to2019, { items: [{ type: 'string' }], additionalItems: false }, [['a'], []], [[1], ['a', 1]]],
  ['additionalItems next to a schema in items has no effect', to2019, { items: {}, additionalItems: false }, [[1, 2]], []],
  ['additionalItems without items has no effect', all, { additionalItems: false }, [[1]], []],
  ['prefixItems and items', ['2020-12'], { prefixItems: [{ type: 'string' }, true], items: { type: 'null' } }, [['a'], ['a', 1, null]], [[1], ['a', 1, 2]]],
  ['prefixItems is not a keyword before 2020-12', to2019, { prefixItems: [false] }, [[1]], []],
  ['contains', from06, { contains: { minimum: 5 } }, [[1, 5], 'x'], [[1], []]],
  ['contains is not a keyword of draft-04', ['04'], { contains: false }, [[1]], []],
  ['minContains, maxContains', from2019, { contains: { const: 1 }, minContains: 2, maxContains: 3 }, [[1, 1], [1, 1, 2, 1]], [[1], [1, 1, 1, 1]]],
  ['minContains: 0', from2019, { contains: { const: 1 }, minContains: 0 }, [[], [2]], []],
  ['minContains without contains has no effect', from2019, { minContains: 2 }, [[1]], []],
  ['minContains is not a keyword before 2019-09', old.slice(1), { contains: { const: 1 }, minContains: 2 }, [[1]], []],

  ['required', all, { required: ['a', '__proto__', 'toString'] }, [JSON.parse('{"a": 1, "__proto__": 1, "toString": 1}'), 'x'], [{ a: 1 }, {}]],
  ['minProperties, maxProperties', all, { minProperties: 1, maxProperties: 1 }, [{ a: 1 }, []], [{}, { a: 1, b: 2 }]],
  ['properties', all, { properties: { a: { type: 'string' } } }, [{ a: 'x', b: 1 }, {}, 1], [{ a: 1 }]],
  ['properties with the names of keywords', all, { properties: { $ref: { type: 'string' }, type: { type: 'number' } } }, [{ $ref: 'x', type: 1 }], [{ $ref: 1 }, { type: 'x' }]],
  ['patternProperties', all, { patternProperties: { '^a': { type: 'string' }, b$: { minLength: 2 } } }, [{ ab: 'xx', c: 1 }], [{ a: 1 }, { ab: 'x' }]],
  ['additionalProperties', all, { properties: { a: {} }, patternProperties: { '^x-': {} }, additionalProperties: { type: 'null' } }, [{ a: 1, 'x-b': 1, c: null }], [{ c: 1 }]],
  ['additionalProperties: false', all, { additionalProperties: false }, [{}], [{ a: 1 }]],
  ['propertyNames', from06, { propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ ab: 1 }]],
  ['dependencies', all, { dependencies: { a: ['b'], c: { required: ['d'] } } }, [{ a: 1, b: 1 }, { c: 1, d: 1 }, {}, 'x'], [{ a: 1 }, { c: 1 }]],
  ['dependentRequired, dependentSchemas', from2019, { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { maxProperties: 1 } } }, [{ a: 1, b: 1 }, { c: 1 }], [{ a: 1 }, { c: 1, d: 1 }]],
  ['dependentRequired and dependentSchemas are not keywords before 2019-09', old, { dependentRequired: { a: ['b'] }, dependentSchemas: { a: { required: ['b'] } } }, [{ a: 1 }], []],

  ['allOf', all, { allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1, 2], [0, 3]],
  ['anyOf', all, { anyOf: [{ minimum: 3 }, { type: 'string' }] }, [3, 'a'], [2, 1]],
  ['oneOf', all, { oneOf: [{ minimum: 3 }, { multipleOf: 2 }] }, [2, 5], [4, 1]],
  ['not', all, { not: { type: 'string' } }, [1], ['a']],
  ['if, then, else', from07, JSON.parse('{"if": {"minimum": 3}, "then": {"multipleOf": 2}, "else": {"const": 1}}'), [4, 1], [3, 2]],
  ['then without if has no effect', from07, JSON.parse('{"then": false, "else": false}'), [1], []],
  ['if is not a keyword before draft-07', ['04', '06'], JSON.parse('{"if": true, "then": false}'), [1], []],
  ['true and false as schemas', from06, { properties: { a: true, b: false } }, [{ a: 1 }], [{ b: 1 }]],

  ['unevaluatedProperties', from2019, { allOf: [{ properties: { a: {} } }], anyOf: [{ properties: { b: { const: 1 } } }, true], unevaluatedProperties: false }, [{ a: 1 }, { a: 1, b: 1 }], [{ b: 2 }, { c: 1 }]],
  ['unevaluatedProperties after if', from2019, JSON.parse('{"if": {"properties": {"a": {"const": 1}}, "required": ["a"]}, "then": {"properties": {"b": true}}, "unevaluatedProperties": false}'), [{ a: 1, b: 1 }], [{ a: 2 }, { b: 1 }]],
  ['unevaluatedProperties ignores schemas that do not match', from2019, { not: { not: { properties: { a: {} } } }, unevaluatedProperties: false }, [{}], [{ a: 1 }]],
  ['unevaluatedProperties sees no cousins', from2019, { allOf: [{ properties: { a: {} } }, { unevaluatedProperties: false }] }, [{}], [{ a: 1 }]],
  ['unevaluatedItems', ['2020-12'], { prefixItems: [true], contains: { const: 7 }, unevaluatedItems: false }, [[1, 7], [7]], [[1, 2, 7]]],
  ['unevaluatedItems ignores contains', ['2019-09'], { items: [true], contains: { const: 7 }, unevaluatedItems: false }, [[7]], [[1, 7]]],
  ['unevaluatedItems and unevaluatedProperties are not keywords before 2019-09', old, { unevaluatedItems: false, unevaluatedProperties: false }, [[1], { a: 1 }], []],

  ['unknown keywords have no effect', all, { 'x-a': { type: 'nonsense' }, title: 5, default: 1, contentEncoding: 'base64', format: 'of-nobody' }, [1, 'x'], []],
] // biome-ignore format: one row for each keyword

describe.each(rows)('%s', (_title, drafts, schema, valid, invalid) => {
  it.each(drafts)('applies in draft %s', (draft) => {
    const prepared = prepareSchema({ $schema: addresses[draft], ...schema })
    if ('problems' in prepared) throw new Error(prepared.problems.join(' '))
    const isValid = (value: unknown) => problemsOf(prepared, value) === undefined
    const wronglyRejected = valid.filter((value) => !isValid(value))
    const wronglyAccepted = invalid.filter(isValid)
    expect({ wronglyRejected, wronglyAccepted }).toEqual({ wronglyRejected: [], wronglyAccepted: [] })
  })
})

describe('the keyword format', () => {
  const formats: [name: string, valid: string[], invalid: string[]][] = [
    ['date', ['2024-02-29', '1998-12-31'], ['2023-02-29', '2024-13-01', '2024-1-1', '2024-01-01\n']],
    ['time', ['08:30:06Z', '23:59:60Z', '01:29:60+01:30', '08:30:06.28-05:00'], ['24:00:00Z', '22:59:60Z', '08:30:06', '08:30:06+24:00']],
    ['date-time', ['1963-06-19T08:30:06.283185Z', '1990-12-31t15:59:59-08:00'], ['1963-06-19 08:30:06Z', '1990-02-31T15:59:59Z', '2013-350T01:01:01']],
    ['duration', ['P4DT12H30M5S', 'P2W', 'PT1M'], ['P', 'PT', 'P1YT', 'P1Y2W', 'PT1D', 'P1D2H']],
    ['email', ['joe@example.com', '"a b"@example.com', 'a@[127.0.0.1]', 'a@[IPv6:::1]'], ['joe', '.joe@example.com', 'a..b@example.com', 'a@-x', 'a@[127.0.0.300]']],
    ['hostname', ['a', 'www.example.com', 'xn--4gbwdl.xn--wgbh1c'], ['', '-a', 'a_b', 'a..b', `${'a'.repeat(64)}`, 'example.']],
    ['ipv4', ['192.168.0.1', '0.0.0.0'], ['256.0.0.1', '1.2.3', '01.2.3.4', '1.2.3.4.', '1.2.3.4/8']],
    ['ipv6', ['::1', '1::', '::', '1:2:3:4:5:6:7:8', '::ffff:192.168.0.1'], ['1:2:3', '1::2::3', ':1', '12345::', '::1.2.3', '1:2:3:4:5:6:7::8', '::1%eth0']],
    ['uri', ['https://u:p@example.com:1/a?b#c', 'urn:a:b', 'postgresql://u:p@[::1]:5432/d'], ['/a', 'a b:c', 'http://a b', '1:a', 'http://a:b', 'http://[::1']],
    ['uri-reference', ['/a', '', 'a?b', '#c', '//host/p'], ['\\\\a', 'a b', '#\\']],
    ['uri-template', ['/a/{b}', '{?a,b*}', '{a:3}'], ['/{', '{a', '{}', 'a}']],
    ['uuid', ['2EB8AA08-aa98-11ea-b4aa-73b441d16380'], ['2eb8aa08aa9811eab4aa73b441d16380', '2eb8aa08-aa98-11ea-b4aa-73b441d1638']],
    ['json-pointer', ['', '/a~0~1/0'], ['a', '/~', '/~2']],
    ['relative-json-pointer', ['0', '1/a', '2#'], ['/a', '01', '-1/a']],
    ['regex', ['^(a|b)$'], ['^(a', '\\a']],
  ] // biome-ignore format: one row for each format

  it.each(formats)('checks %s in old drafts and without $schema', (format, valid, invalid) => {
    for (const $schema of [undefined, ...old.map((draft) => addresses[draft])]) {
      const prepared = prepareSchema({ $schema, format })
      if ('problems' in prepared) throw new Error(prepared.problems.join(' '))
      const isValid = (value: unknown) => problemsOf(prepared, value) === undefined
      expect([valid.filter((text) => !isValid(text)), invalid.filter(isValid), isValid(1)]).toEqual([
        [],
        [],
        true,
      ])
    }
  })

  it.each(from2019)('is only an annotation in draft %s', (draft) => {
    const prepared = prepareSchema({ $schema: addresses[draft], format: 'email' })
    if ('problems' in prepared) throw new Error(prepared.problems.join(' '))
    expect(problemsOf(prepared, 'nobody')).toBe(undefined)
  })
})
