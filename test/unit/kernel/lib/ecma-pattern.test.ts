/** Patterns are compared with JavaScript's own engine in Unicode mode, which implements ECMA-262. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileEcmaPattern } from '../../../../src/kernel/lib/json-schema/ecma-pattern.ts'
import { runs } from '../../../support/runs.ts'

function compiled(source: string): (text: string) => boolean {
  const pattern = compileEcmaPattern(source)
  if ('problem' in pattern) throw new Error(`${source}: ${pattern.problem}`)
  return pattern.matches
}
const matches = (source: string, text: string): boolean => compiled(source)(text)

const codePoints = [
  ...Array.from({ length: 0x3100 }, (_, code) => code),
  0xa015, 0xfeff, 0xff21, 0xfffd, 0x1f432, 0x1f600, 0x10400, 0x2_0000, 0x10_ffff,
] // biome-ignore format: a list of numbers

describe('a pattern that is invalid or cannot be matched in linear time is rejected with a suggestion', () => {
  it.each<[string, string | RegExp]>([
    ['a(?=b)', /^look-ahead is only supported right after a "\^" .* "allOf", .* "not"$/],
    ['(?=b)', /^look-ahead is only supported/],
    ['^a(?!b)$', /^look-ahead is only supported/],
    ['(?<=a)b', /^look-behind is only supported right before a "\$"/],
    ['^((?!foo).)*$', 'look-ahead is not supported in a group: write out the alternatives of the group'],
    ['^(?=a)*b', '"*" has nothing to repeat'],
    ['(a)\\1', /^"\\1" is a back-reference/],
    ['(?<n>a)\\k<n>', /^"\\k" is a back-reference/],
    ['\\Aa', '"\\A" is not an escape of ECMA-262: write "^"'],
    ['a\\z', '"\\z" is not an escape of ECMA-262: write "$"'],
    ['\\a', '"\\a" is not an escape of ECMA-262'],
    ['\\', '"\\" is not an escape of ECMA-262'],
    ['\\c1', '"\\c" is not an escape of ECMA-262'],
    ['\\u{110000}', '110000 is not a code point'],
    ['\\p{Nope}', /^\\p\{Nope\} is not supported: use a general category such as \\p\{L\}/],
    ['\\p{Script_Extensions=Greek}', /is not supported: use a general category/],
    ['[b-a]', 'the ends of a range in a class are out of order'],
    ['[a', 'a "[" is not closed'],
    ['(a', 'a "(" is not closed'],
    ['a)', 'a ")" has no matching "("'],
    ['*a', '"*" has nothing to repeat'],
    ['a**', 'two quantifiers follow each other'],
    ['^*', '"*" has nothing to repeat'],
    ['a{2,1}', 'the numbers of {2,1} are out of order'],
    ['a{1001}', '{1001} repeats more than 1000 times: use "maxLength" for long texts'],
    ['(?P<n>a)', /^"\(\?P<" does not begin a group of ECMA-262: use/],
    ['(?>a)', /^"\(\?>a" does not begin a group/],
    ['(?#a)', /^"\(\?#a" does not begin a group/],
    [`${'('.repeat(60)}${')'.repeat(60)}`, 'groups are nested deeper than 50'],
    ['(?:(?:a{100}){100})', /^a pattern has at most 2000 states/],
    ['^(?!a{1000})(?!b{1000})c', /^a pattern has at most 2000 states/],
    ['a'.repeat(501), 'a pattern has at most 500 characters'],
  ])('%s', (source, problem) => {
    expect(compileEcmaPattern(source)).toEqual({
      problem: typeof problem === 'string' ? problem : expect.stringMatching(problem),
    })
  })
})

describe('a part of a pattern matches the same characters as in JavaScript', () => {
  it.each([
    '\\s', '\\S', '\\d', '\\D', '\\w', '\\W', '.', '[\\s]', '[^\\s]', '[\\S]', '[^\\S]', '[\\s\\S]', '[^\\s\\S]', '[^\\S\\n]', '[\\d\\s]', '[^\\W_]', '[]', '[^]',
    '\\cA', '\\cj', '[\\cJ]', '\\0', '\\t', '\\v', '\\f', '\\n', '\\r', '[\\b]', '\\x41', '\\u0041', '\\u{1F432}', '\\u{9999}', '\\uD83D\\uDC32', '[\\uD83D\\uDC32-\\u{1F600}]',
    '\\p{L}', '\\P{L}', '\\p{Letter}', '\\p{Lu}', '\\p{Uppercase_Letter}', '\\p{gc=Nd}', '\\p{General_Category=Decimal_Number}', '\\p{digit}', '\\p{punct}',
    '\\p{Script=Greek}', '\\p{sc=Cyrillic}', '\\P{Script=Han}', '[\\p{L}\\d]', '[^\\p{L}]', '\\p{Alphabetic}', '\\p{White_Space}', '\\p{Any}',
    '[a-c\\-.\\]]', '[a\\-c]', '[[:alpha:]', '[.]', '\\/', '[&&a]', '[$^]', '\\$', '[\\^]', '-', '[a-]', '[-a]', '(?i:ä)', '\\b', '\\B', '$', '^',
  ])('%s', (source) => {
    const native = new RegExp(`^(?:${source})$`, 'u')
    const ours = compiled(`^(?:${source})$`)
    const different = codePoints.filter((code) => ours(String.fromCodePoint(code)) !== native.test(String.fromCodePoint(code)))
    expect(different).toEqual([])
  }) // biome-ignore format: a list of expressions
})

describe('a pattern', () => {
  const atom = fc.constantFrom(
    'a',
    'b',
    '\\s',
    '\\S',
    '\\d',
    '\\w',
    '.',
    '[ab]',
    '[^a]',
    '[^\\s]',
    '\\u{1F432}',
    '-',
    ' ',
    '\\.',
    '\\b',
    '(?<x>a|b)',
    '(a)',
    '(?:a|)',
  )
  const quantified = fc
    .tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '{0,}', '*?'))
    .map(([part, quantifier]) => (part === '\\b' ? part : part + quantifier))
  const sequence = fc.array(quantified, { maxLength: 4 }).map((parts) => parts.join(''))
  const alternatives = fc.array(sequence, { minLength: 1, maxLength: 3 })
  const text = fc
    .array(fc.constantFrom('a', 'b', '1', ' ', '\u00a0', '\n', '\u2028', '.', '-', '🐲'), { maxLength: 5 })
    .map((parts) => parts.join(''))

  /** Keeps the name of only the first named group, because JavaScript rejects a repeated name. */
  const withoutNames = (source: string) =>
    source.replace(/(\(\?<x>.*)/s, (rest) => rest[0] + rest.slice(1).replaceAll('(?<x>', '(?:'))

  it('matches the same texts as in JavaScript', () => {
    const property = fc.property(
      alternatives,
      fc.boolean(),
      fc.boolean(),
      text,
      (parts, begins, ends, sample) => {
        const source = withoutNames(
          parts.map((part) => `${begins ? '^' : ''}${part}${ends ? '$' : ''}`).join('|'),
        )
        expect([source, sample, matches(source, sample)]).toEqual([
          source,
          sample,
          new RegExp(source, 'u').test(sample),
        ])
      },
    )
    fc.assert(property, { numRuns: runs(250, 10_000) })
  })

  it('with look-ahead at its beginning and look-behind at its end matches the same texts as in JavaScript', () => {
    const look = fc
      .tuple(fc.constantFrom('=', '!'), alternatives)
      .map(([kind, parts]) => [kind, parts.join('|')] as const)
    const looks = fc.array(look, { maxLength: 2 })
    const alternative = fc.tuple(looks, sequence, looks).map(([ahead, middle, behind]) => {
      const before = ahead.map(([kind, inner]) => `(?${kind}${inner})`).join('')
      return `^${before}${middle}${behind.map(([kind, inner]) => `(?<${kind}${inner})`).join('')}$`
    })
    const property = fc.property(
      fc.array(alternative, { minLength: 1, maxLength: 2 }),
      text,
      (parts, sample) => {
        const source = withoutNames(parts.join('|'))
        expect([source, sample, matches(source, sample)]).toEqual([
          source,
          sample,
          new RegExp(source, 'u').test(sample),
        ])
      },
    )
    fc.assert(property, { numRuns: runs(250, 10_000) })
  })

  it.each<[string, string[], string[]]>([
    ['^(?=.*[A-Z])(?=.*\\d).{8,}$', ['Password1', '1Passwor'], ['password1', 'Passwords', 'Pw1']],
    ['^(?!.*--)[a-z-]+(?<!-)$', ['a-b'], ['a--b', 'a-', '']],
    ['^(?!tmp-)\\w|^(?=tmp-ok)', ['a', 'tmp-ok'], ['tmp-a']],
    ['^(?=(?!b)\\w)[a-c]+$', ['ab', 'c'], ['ba']],
    ['(?i)^abc$', ['ABC', 'abc'], ['abd']],
    ['(?i)^(?!TMP)\\w+$', ['abc'], ['tmp1']],
    ['^[\\w-.]+$', ['a-b.c'], ['a b']],
  ])('%s matches some texts and no others', (source, matching, others) => {
    expect([
      matching.filter((text) => !matches(source, text)),
      others.filter((text) => matches(source, text)),
    ]).toEqual([[], []])
  })

  it('of random characters is either compiled or rejected', () => {
    const characters = fc.constantFrom(...'ab01^$.*+?()[]{}|\\-,:=!<>ispPuxckdDsS{}&/ \u{1F432}\ud800')
    const property = fc.property(fc.array(characters, { maxLength: 12 }), (parts) => {
      const pattern = compileEcmaPattern(parts.join(''))
      if ('problem' in pattern) expect(pattern.problem).not.toBe('')
      else expect(typeof pattern.matches('ab 01')).toBe('boolean')
    })
    fc.assert(property, { numRuns: runs(500, 20_000) })
  })
})
