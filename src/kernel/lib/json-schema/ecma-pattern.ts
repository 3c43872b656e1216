/**
 * Compiles regular expressions of ECMA-262 in Unicode mode, as JSON Schema requires, for matching in linear
 * time.
 */
import {
  compileExpression,
  type Pattern,
  patternLengthMax,
  patternStatesMax,
  tooLong,
  tooManyStates,
} from '../pattern.ts'
import { patternSize } from '../pattern-size.ts'
import { readPattern, type Term } from './ecma-reader.ts'
import { PatternProblem } from './pattern-problem.ts'

/** A condition on a text: a combination of expressions without look-around. */
type Test = { matches: string } | { not: Test } | { all: Test[] } | { any: Test[] }

/** Compiles a pattern, or returns why that is not possible and what to write instead. */
export function compileEcmaPattern(source: string): Pattern | { problem: string } {
  if (source.length > patternLengthMax) return tooLong
  // The limit applies to the pattern as it was written, so that it is the same everywhere in the API.
  if (patternSize(source) > patternStatesMax) return tooManyStates
  try {
    const { alternatives, flags } = readPattern(source)
    const test = testOf(alternatives, flags)
    if (
      expressionsOf(test).reduce((states, expression) => states + patternSize(expression), 0) >
      patternStatesMax
    )
      return tooManyStates
    return compileTest(test)
  } catch (error) {
    if (error instanceof PatternProblem) return { problem: error.message }
    throw error
  }
}

/**
 * Splits a pattern with look-around. RE2 has none, but a look-ahead right after a leading `^`, and a
 * look-behind right before a final `$`, can be matched as separate expressions.
 */
function testOf(alternatives: readonly (readonly Term[])[], flags: string): Test {
  if (!alternatives.flat().some(({ look }) => look)) {
    return { matches: flags + alternatives.map((terms) => terms.map(({ text }) => text).join('')).join('|') }
  }
  return { any: alternatives.map((terms) => testOfAlternative(terms, flags)) }
}

function testOfAlternative(terms: readonly Term[], flags: string): Test {
  const [first, last] = [terms[0], terms.at(-1)]
  let from = 0
  let to = terms.length
  const looks: Test[] = []
  const addLook = (term: Term, inner: Term[][]) => {
    const test = testOf(inner, flags)
    looks.push(term.look?.negative ? { not: test } : test)
  }
  if (first?.text === '^') {
    from = 1
    for (let term = terms[from]; term?.look?.ahead; term = terms[++from])
      addLook(
        term,
        term.look.inner.map((inner) => [first, ...inner]),
      )
  }
  if (last?.text === '$') {
    to--
    for (let term = terms[to - 1]; to > from && term?.look?.ahead === false; term = terms[--to - 1])
      addLook(
        term,
        term.look.inner.map((inner) => [...inner, last]),
      )
  }
  const rest = terms.slice(from, to)
  const misplaced = rest.find(({ look }) => look)?.look
  if (misplaced) throw new PatternProblem(misplaced.ahead ? aheadElsewhere : behindElsewhere)
  const text = [
    ...(from > 0 ? ['^'] : []),
    ...rest.map((term) => term.text),
    ...(to < terms.length ? ['$'] : []),
  ].join('')
  return { all: [{ matches: flags + text }, ...looks] }
}

const instead =
  'Alternatively, put what the text must also match in "allOf", and what it must not match in "not"'
const aheadElsewhere =
  'look-ahead is only supported right after a "^" at the beginning of the pattern or of an alternative, ' +
  `for example ^(?!tmp-)[a-z-]+$. ${instead}`
const behindElsewhere =
  'look-behind is only supported right before a "$" at the end of the pattern or of an alternative, ' +
  `for example ^[a-z-]+(?<!-)$. ${instead}`

function expressionsOf(test: Test): string[] {
  if ('matches' in test) return [test.matches]
  if ('not' in test) return expressionsOf(test.not)
  return ('all' in test ? test.all : test.any).flatMap(expressionsOf)
}

function compileTest(test: Test): Pattern {
  if ('matches' in test) {
    const compiled = compileExpression(test.matches)
    if ('problem' in compiled) throw new PatternProblem(compiled.problem)
    return compiled
  }
  if ('not' in test) {
    const { matches, stepsFor } = compileTest(test.not)
    return { matches: (text) => !matches(text), stepsFor }
  }
  const parts = ('all' in test ? test.all : test.any).map(compileTest)
  return {
    matches:
      'all' in test
        ? (text) => parts.every((part) => part.matches(text))
        : (text) => parts.some((part) => part.matches(text)),
    stepsFor: (text) => parts.reduce((steps, part) => steps + part.stepsFor(text), 0),
  }
}
