/** Finding a repeated name in a JSON text. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repeatedName } from '../../../src/lib/repeated-name.ts'
import { runs } from '../../support/runs.ts'
import { scaled } from '../../support/scaled.ts'

const scan = (text: string) => repeatedName(new TextEncoder().encode(text))

describe('a repeated name in one object', () => {
  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{ "a" : 1 ,\r\n\t"a"\n:\t2 }', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"\\u0061":1,"a":2}', 'a'],
    ['{"größe":1,"gr\\u00f6\\u00DFe":2}', 'größe'],
    ['{"\\"":1,"b":2,"\\u0022":3}', '"'],
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
    ])
      scan(text)
  })

  it('is found in linear time in 10 MB, in one object and in nested objects', () => {
    const wide = `{${Array.from({ length: 500_000 }, (_, index) => `"n${index}":${index}`)},"n7":0}`
    const deep = `${'{"a":'.repeat(1_000_000)}1${'}'.repeat(1_000_000)}`
    const started = performance.now()
    expect([scan(wide), scan(deep)]).toEqual(['n7', undefined])
    expect(performance.now() - started).toBeLessThan(scaled(10_000))
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
