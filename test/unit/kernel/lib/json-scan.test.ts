/** What a scan of JSON finds before it is parsed. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RawNumber, readJson } from '../../../../src/kernel/lib/exact-json.ts'
import type { JsonFault } from '../../../../src/kernel/lib/json-fault.ts'
import {
  anyJson,
  JsonScanner,
  type JsonShape,
  levelsMax,
  membersMax,
  scanText,
  valuesMax,
} from '../../../../src/kernel/lib/json-scan.ts'
import { cpuMs } from '../../../support/cpu-time.ts'
import { runs } from '../../../support/runs.ts'
import { scaled } from '../../../support/scaled.ts'

const faultOf = (text: string, shape: JsonShape = anyJson): JsonFault | undefined =>
  new JsonScanner(shape).scan(new TextEncoder().encode(text)).fault

/** Returns the name that is repeated in one object. */
function scan(text: string): string | undefined {
  const fault = faultOf(text)
  return fault?.kind === 'repeated' ? fault.name : undefined
}

describe('a repeated name in one object', () => {
  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{ "a" : 1 ,\r\n\t"a"\n:\t2 }', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"\\u0061":1,"a":2}', 'a'],
    ['{"größe":1,"gr\\u00f6\\u00DFe":2}', 'größe'],
    ['{"\\"":1,"b":2,"\\u0022":3}', '"'],
    ['{"\\n":1,"\\/":2,"/":3}', '/'],
    ['{"\\ud83d\\ude00":1,"😀":2}', '😀'],
    ['{"€":1,"\\u20AC":2}', '€'],
    ['{"\\ud83d\\u0061":1,"\\ud83da":2}', '\ud83da'],
    ['[{"a":1,"b":2},{"\\u0061":1,"b":2,"a":3}]', 'a'],
    ['{"":1,"":2}', ''],
    ['{"__proto__":1,"b":2,"__proto__":3}', '__proto__'],
    ['[{"a":1},{"b":[{"c":1,"d":{"c":2},"c":3}]}]', 'c'],
    ['{"a":{"a":{"a":1,"a":2}}}', 'a'],
    ['{"a":"{\\"a\\":1,","b":{},"a":"}"}', 'a'],
    ['[{"id":1,"n":1},{"n":1,"id":2},{"id":1,"n":2,"id":3}]', 'id'],
    ['\ufeff{"a":1,"a":2}', 'a'],
  ])('is found in %s', (text, name) => {
    expect(scan(text)).toBe(name)
  })

  it.each([
    '{"a":1,"A":2,"a ":3}',
    '{"a":{"a":1},"b":{"a":1}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a","b":"a"}',
    '{"a":"\\"a\\":1,\\"a\\":2"}',
    '{"a":["a","a"],"b":"{\\"a\\":"}',
    '{"a":"\\\\","b":"\\\\\\"","c":""}',
    '{"\\ud800":1,"\\ud801":2,"\ufffd":3}',
    '{"\\ud83d":1,"\\ude00":2,"\\ud83d\\ude00":3}',
    '{"\\\\u0061":1,"a":2,"\\n":3,"n":4}',
    '["a","a"]',
    '"a"',
    '',
  ])('is not found in %s', (text) => {
    expect(scan(text)).toBeUndefined()
  })

  it.each([64, 65, 1000])('is found between %d other names at any position', (count) => {
    const names = Array.from({ length: count }, (_, index) => `"column_${index}":{"x":${index}}`)
    expect(scan(`[{${names}},{${names}}]`)).toBeUndefined()
    for (const twice of [0, Math.floor(count / 2), count - 1]) {
      expect(scan(`[{${names}},{${names},"column_${twice}":0}]`)).toBe(`column_${twice}`)
    }
  })

  it('is found after long strings with escapes at any position', () => {
    for (let length = 0; length < 70; length++) {
      for (const escaped of ['', '\\"', '\\\\', '\\\\\\"', '\\u0022']) {
        const text = `${'x'.repeat(length)}${escaped}`
        expect(scan(`{"a":"${text}","b":1,"b":2}`)).toBe('b')
        expect(scan(`{"${text}":"b","b":1}`)).toBeUndefined()
      }
    }
  })

  it('does not cause an endless loop in text that is not JSON', () => {
    for (const text of [
      '{"a":1,"a',
      '{"a\\',
      '"',
      '{"a"',
      '}}}}"a":1',
      '{{{"\\x":1,"\\x":2',
      `"${'\\'.repeat(99)}`,
      `{"${'x'.repeat(99)}`,
      '{"\\u',
      '{"\\u006',
      '{"a\\ud83d\\u',
    ])
      scan(text)
  })

  it('is found in linear time in 10 MB, in one object and in nested objects', async () => {
    const names = Array.from({ length: membersMax - 1 }, (_, index) => `"n${index}":"${'x'.repeat(5_000)}"`)
    const wide = `{${names},"n7":0}`
    const nested = `${'{"a":'.repeat(100)}[${names.map((member) => `{${member}}`)}]${'}'.repeat(100)}`
    const took = await cpuMs(() => expect([scan(wide), scan(nested)]).toEqual(['n7', undefined]))
    expect(took).toBeLessThan(scaled(5_000))
  })
})

/** JSON whose objects are lists of members, so that names can be repeated. */
type Tree = { list: Tree[] } | { members: [string, Tree][] } | { leaf: unknown }

const name = fc.oneof(
  fc.constantFrom('a', 'b', 'ab', 'é', '"', '\\', '{', ':', '}', ''),
  fc.string({ maxLength: 3 }),
  fc.string({ minLength: 30, maxLength: 40 }),
)
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    fc.record({
      leaf: fc.oneof(
        name,
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
      ),
    }),
    fc.record({ list: fc.array(tie('tree'), { maxLength: 6 }) }),
    fc.record({ members: fc.array(fc.tuple(name, tie('tree')), { maxLength: 6 }) }),
  ),
}))

/** Writes JSON with random spaces and escapes. `next` returns the random numbers. */
function write(value: Tree, next: () => number): string {
  const space = () => ['', '', ' ', '\n\t', '\r'][next() % 5] as string
  const string = (text: string) =>
    next() % 2 === 0
      ? JSON.stringify(text)
      : `"${[...Array(text.length).keys()].map((index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`).join('')}"`
  if ('list' in value)
    return `${space()}[${value.list.map((member) => write(member, next)).join(',')}]${space()}`
  if ('members' in value) {
    const members = value.members.map(
      ([key, member]) => `${space()}${string(key)}${space()}:${write(member, next)}`,
    )
    return `${space()}{${members.join(',')}}${space()}`
  }
  return `${space()}${typeof value.leaf === 'string' ? string(value.leaf) : JSON.stringify(value.leaf)}${space()}`
}

/** Returns the first repeated name in the order of the text, by looking at every member. */
function findRepeatedName(value: Tree): string | undefined {
  if ('leaf' in value) return undefined
  const seen = new Set<string>()
  for (const [key, member] of 'list' in value
    ? value.list.map((one) => [undefined, one] as const)
    : value.members) {
    if (key !== undefined && seen.has(key)) return key
    if (key !== undefined) seen.add(key)
    const found = findRepeatedName(member)
    if (found !== undefined) return found
  }
  return undefined
}

describe('in random JSON, the repeated name', () => {
  it('is the one that a simple search finds', () => {
    fc.assert(
      fc.property(tree, fc.array(fc.nat(9), { minLength: 1 }), (value, choices) => {
        let at = 0
        const text = write(value, () => choices[at++ % choices.length] as number)
        JSON.parse(text)
        expect(scan(text)).toBe(findRepeatedName(value))
      }),
      { numRuns: runs(300, 20_000) },
    )
  })

  it('is never found in the output of JSON.stringify', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.nat(4),
        (value, indent) => scan(JSON.stringify(value, null, indent)) === undefined,
      ),
    )
  })
})

const members = (count: number, first = 0) =>
  Array.from({ length: count }, (_, index) => `"n${first + index}":1`).join(',')
const ones = (count: number) => `[${'1,'.repeat(count).slice(0, -1)}]`
const table: JsonShape = { members: 'table' }
const rows: JsonShape = { elements: { shape: table, max: 10 } }
const declared: JsonShape = {
  members: new Map<string, JsonShape>([
    ['name', {}],
    [
      'scopes',
      { elements: { max: 3, shape: { members: new Map([['can', { elements: { max: 2, shape: {} } }]]) } } },
    ],
  ]),
}

describe('width', () => {
  it.each<[what: string, text: string, shape: JsonShape, fault: JsonFault | undefined]>([
    ['the fields of a record', `{${members(1001)}}`, table, { kind: 'members', max: 1000 }],
    ['as many fields as there may be', `{${members(1000)}}`, table, undefined],
    ['the fields of a later record', `[{},{${members(1001)}}]`, rows, { kind: 'members', max: 1000 }],
    [
      'the different fields of records',
      `[{${members(501)}},{${members(500, 501)}}]`,
      rows,
      { kind: 'names', max: 1000 },
    ],
    [
      'the different fields of records, which may be spelled in many ways',
      `[{${members(1000)}},{"\\u006e1":1},{"n\\u0031":1},{"\\u006e\\u0031":1}]`,
      rows,
      undefined,
    ],
    ['records', '[{},{},{},{},{},{},{},{},{},{},{}]', rows, { kind: 'rows', max: 10, path: '' }],
    ['a declared object', `{${members(1001)}}`, declared, { kind: 'members', max: 1000 }],
    [
      'a declared array',
      '{"scopes":[{},{"can":[1,2,3]}]}',
      declared,
      { kind: 'elements', max: 2, path: 'scopes.1.can' },
    ],
    ['an object of any members', `{${members(50_001)}}`, anyJson, { kind: 'values', max: 50_000 }],
    ['as many members as there may be', `{${members(50_000)}}`, anyJson, undefined],
    ['an array of any elements', ones(50_001), anyJson, { kind: 'values', max: 50_000 }],
    ['as many elements as there may be', ones(50_000), anyJson, undefined],
    [
      'values of several records together',
      `[{"a":${ones(25_000)}},{"a":{"b":${ones(25_000)}}}]`,
      rows,
      { kind: 'values', max: 50_000 },
    ],
    [
      'empty arrays, which have no elements',
      `[${'{"a":[],"b":[ ]},'.repeat(10).slice(0, -1)}]`,
      rows,
      undefined,
    ],
  ])('is refused for too many in %s', (_, text, shape, fault) => {
    expect(faultOf(text, shape)).toEqual(fault)
  })

  it('counts the values of several texts together', () => {
    const scanner = new JsonScanner(anyJson)
    const half = new TextEncoder().encode(ones(valuesMax / 2))
    expect([1, 2, 3].map(() => scanner.scan(half).fault?.kind)).toEqual([undefined, undefined, 'values'])
  })
})

describe('depth', () => {
  it('is refused above the maximum', () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    expect([
      faultOf(nested(levelsMax)),
      faultOf(nested(levelsMax + 1)),
      faultOf('{"a":'.repeat(1_000_000)),
    ]).toEqual([undefined, { kind: 'levels', max: levelsMax }, { kind: 'levels', max: levelsMax }])
  })
})

describe('the length of a number', () => {
  it('is refused above the maximum, at once', () => {
    const digits = (count: number) => `{"n":-${'9'.repeat(count - 1)}}`
    const refused = { kind: 'number', max: 150_000 }
    expect([150_000, 150_001, 9_000_000].map((count) => faultOf(digits(count)))).toEqual([
      undefined,
      refused,
      refused,
    ])
  })
})

describe('a scan', () => {
  it('tells whether the text is an array', () => {
    const scanned = ['[{"a":{"e":[]}}]', ' [1]', '{"a":[]}'].map((text) =>
      new JsonScanner(rows).scan(new TextEncoder().encode(text)),
    )
    expect(scanned.map(({ fault, isArray }) => [fault, isArray])).toEqual([
      [undefined, true],
      [undefined, true],
      [undefined, false],
    ])
  })

  it('tells in random JSON whether a number is inexact, as reading it does', () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map(String),
      fc.tuple(fc.integer(), fc.stringMatching(/^[0-9]{1,20}$/)).map(([whole, part]) => `${whole}.${part}`),
      fc
        .tuple(fc.integer(), fc.integer({ min: -400, max: 400 }))
        .map(([digits, power]) => `${digits}e${power}`),
      fc.constantFrom('"1e999"', '"12345678901234567890"', 'true', 'null'),
    )
    fc.assert(
      fc.property(fc.array(number), (numbers) => {
        const text = `[${numbers}]`
        const read = readJson(text) as (number | RawNumber)[]
        expect(scanText(text).isInexact).toBe(read.some((one) => JSON.isRawJSON(one)))
        expect(readJson(text, Number.POSITIVE_INFINITY, scanText(text))).toEqual(read)
      }),
      { numRuns: runs(300, 5_000) },
    )
  })
})
