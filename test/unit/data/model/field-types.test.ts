/** Field types and the rules of constraints. D4, R6. */
import { describe, expect, it } from 'vitest'
import { generateTypes } from '../../../../client/src/generate.ts'
import * as inConsole from '../../../../console/src/pages/schema/field-kinds.ts'
import { rulesOf, valueProblems } from '../../../../src/data/model/constraints.ts'
import { type FieldType, fieldTypes } from '../../../../src/data/model/field-types.ts'
import { formats } from '../../../../src/data/model/formats.ts'
import { baseOf, typeNames, typeOf } from '../../../../src/data/model/types.ts'
import { operatorsOn } from '../../../../src/data/query/operators.ts'
import { filterSchema } from '../../../../src/operation/reference/record-schemas.ts'
import { cpuMs } from '../../../support/cpu-time.ts'
import { readDocument, tablesOf } from '../../../support/documents.ts'
import { scaled } from '../../../support/scaled.ts'

const type = (name: string) => fieldTypes.get(name) as FieldType
const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) })

describe('a JSON value of a field type', () => {
  it.each<[string, unknown]>([
    ['string', 1],
    ['string', 'a\0b'],
    ['string', '\ud800'],
    ['integer', 1.5],
    ['integer', '1.5'],
    ['integer', '007'],
    ['integer', '9223372036854775808'],
    ['integer', true],
    ['number', '1'],
    ['number', Number.POSITIVE_INFINITY],
    ['boolean', 'true'],
    ['boolean', 0],
    ['date', '2026-02-29'],
    ['date', '0000-01-01'],
    ['date', '2026-1-1'],
    ['date', 'infinity'],
    ['time', '24:00'],
    ['time', '12:60'],
    ['time', '12:00:00.1234567'],
    ['datetime', '2026-01-31'],
    ['datetime', '2026-01-31T25:00:00Z'],
    ['datetime', '2026-01-31T12:00:00+15:00'],
    ['datetime', '0001-01-01T00:00:00+14:00'],
    ['datetime', '9999-12-31T23:59:59-14:00'],
    ['datetime', 'infinity'],
    ['datetime', 'now'],
    ['uuid', '00000000-0000-0000-0000-00000000000g'],
    ['object', []],
    ['object', { a: ['b\0'] }],
    ['object', { 'a\0': 1 }],
    ['object', deep(65)],
    ['array', {}],
    ['array', ['\udc00']],
  ])('is rejected for %s: %j', (name, value) => {
    expect(type(name).problem(value)).toEqual(expect.any(String))
  })

  it.each<[string, unknown]>([
    ['string', ''],
    ['string', 'Zürich 😀'],
    ['integer', -9007199254740991],
    ['integer', '9223372036854775807'],
    ['integer', '-9223372036854775808'],
    ['number', 0.1],
    ['boolean', false],
    ['date', '2024-02-29'],
    ['date', '9999-12-31'],
    ['time', '23:59:59.999999'],
    ['time', '07:30'],
    ['datetime', '2026-01-31T12:00:00Z'],
    ['datetime', '2026-01-31 12:00:00.25+05:30'],
    ['datetime', '2026-01-31T12:00'],
    ['uuid', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'],
    ['object', deep(64)],
    ['array', [1, [null, 'x']]],
  ])('is accepted for %s: %j', (name, value) => {
    expect(type(name).problem(value)).toBeUndefined()
  })
})

describe('a constraint names the rules that a value violates', () => {
  it.each<[string, object, unknown, string[]]>([
    ['string', { constraints: { minLength: 3 } }, '😀😀', ['Ensure this field has at least 3 characters.']],
    [
      'string',
      { constraints: { maxLength: 2 } },
      'abc',
      ['Ensure this field has no more than 2 characters.'],
    ],
    ['string', { constraints: { maxLength: 2 } }, '😀😀', []],
    [
      'string',
      { constraints: { pattern: '^[a-z]+$', maxLength: 3 } },
      'ABCD',
      ['Ensure this field matches the pattern ^[a-z]+$', 'Ensure this field has no more than 3 characters.'],
    ],
    ['string', { constraints: { enum: ['a', 'b'] } }, 'c', ['Must be one of: a, b.']],
    ['string', { format: 'email' }, 'a@b', ['An e-mail address is required.']],
    ['string', { format: 'email' }, 'ada@example.org', []],
    ['string', { format: 'uri' }, 'no uri', ['A URI is required, for example https://example.com/.']],
    ['integer', { constraints: { minimum: 5 } }, 4, ['Ensure this value is greater than or equal to 5.']],
    ['integer', { constraints: { maximum: 5 } }, '6', ['Ensure this value is less than or equal to 5.']],
    [
      'integer',
      { constraints: { maximum: '9223372036854775806' } },
      '9223372036854775807',
      ['Ensure this value is less than or equal to 9223372036854775806.'],
    ],
    ['number', { constraints: { minimum: 0 } }, -0.01, ['Ensure this value is greater than or equal to 0.']],
    [
      'date',
      { constraints: { minimum: '2026-01-01' } },
      '2025-12-31',
      ['Ensure this value is greater than or equal to 2026-01-01.'],
    ],
    ['datetime', { constraints: { maximum: '2026-01-01T00:00:00Z' } }, '2026-01-01T00:30:00+01:00', []],
    ['datetime', { constraints: { enum: ['2026-01-01T00:00:00Z'] } }, '2026-01-01 01:00:00.000+01:00', []],
    ['time', { constraints: { enum: ['08:00'] } }, '08:00:00', []],
    ['time', { constraints: { maximum: '18:30' } }, '18:30:00', []],
    [
      'time',
      { constraints: { maximum: '18:30' } },
      '18:30:00.000001',
      ['Ensure this value is less than or equal to 18:30.'],
    ],
    [
      'uuid',
      { constraints: { enum: ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'] } },
      'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11',
      [],
    ],
    ['integer', { constraints: { enum: [1, 2] } }, '2', []],
    ['string', { format: 'date' }, '2026-02-31', ['A date is required, for example 2026-01-31.']],
  ])('%s %j: %j', (name, schema, value, problems) => {
    const rules = rulesOf({ name: 'x', type: name, ...schema })
    expect(valueProblems(type(name), rules, value)).toEqual(problems)
  })

  it('a pattern takes time linear in the text, even if it takes exponential time in other engines', async () => {
    const rules = rulesOf({ name: 'x', type: 'string', constraints: { pattern: '^(a+)+$' } })
    const value = `${'a'.repeat(20_000)}!`
    const took = await cpuMs(() => expect(valueProblems(type('string'), rules, value)).toHaveLength(1))
    expect(took).toBeLessThan(scaled(2000))
  })
})

/** The kinds of fields in the client whose filters have this operator, and none of those above it. */
const kindsWith: Record<string, string[]> = {
  has_key: ['json'],
  within: ['instant'],
  imatches: ['text', 'duration'],
  gt: ['number', 'boolean', 'ordered'],
}

describe('a type of fields', () => {
  it('has a row in the guide, and a form in the console unless only a search reads it', () => {
    const tables = tablesOf(readDocument('docs/guide/apps-and-tables.md'))
    const rows = tables.find(({ header }) => header[0] === 'Type')?.rows ?? []
    const inGuide = rows.flatMap(([cell = '']) => cell.match(/\w+/g) ?? [])
    expect(typeNames.filter((name) => !inGuide.includes(name))).toEqual([])
    expect([...inConsole.typeNames, 'search_vector'].toSorted()).toEqual(typeNames.toSorted())
  })

  it('has the editor of its values in the console, and a text has each format', () => {
    expect([...inConsole.textFormats].toSorted()).toEqual([...formats.keys()].toSorted())
    const json = typeNames.filter((type) => !typeOf({ type }).comparable)
    expect(json.filter((type) => !inConsole.jsonTypes.has(type))).toEqual([])
    const numbers = typeNames.filter((type) => ['integer', 'number'].includes(baseOf({ type })))
    expect([...inConsole.numericTypes].toSorted()).toEqual(numbers.toSorted())
  })

  it('has a schema of its values in the document of an app, unless every value is of it', () => {
    const without = typeNames.filter((type) => Object.keys(filterSchema({ name: 'a', type })).length === 0)
    expect(without).toEqual(['any'])
  })

  it.each(typeNames)('has the operators in the client that it has in queries: %s', (type) => {
    const properties = { a: { ...filterSchema({ name: 'a', type }), 'x-type': type } }
    const document = { paths: {}, tags: [], components: { schemas: { 't.Record': { properties } } } }
    const [, kind] = /kinds: \{\s+a: '(\w+)'/.exec(generateTypes({ app: document })) ?? []
    const own = operatorsOn(typeOf({ type }))
    expect(kindsWith[Object.keys(kindsWith).find((name) => own.includes(name)) ?? '']).toContain(kind)
  })
})
