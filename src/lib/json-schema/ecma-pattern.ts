/** Regular expressions as ECMA-262 has them, in its Unicode mode, which is what JSON Schema means: matched in linear time. */
import { compileExpression, type Pattern, patternLengthMax, patternStatesMax, tooLong, tooManyStates } from '../pattern.ts'
import { sizeOf } from '../pattern-size.ts'
import { PatternProblem } from './ecma-problem.ts'
import { readPattern, type Term } from './ecma-reader.ts'

/** What must hold of a text: expressions without look-around, put together. */
type Test = { matches: string } | { not: Test } | { all: Test[] } | { any: Test[] }

/** The compiled pattern, or why it cannot be one, with what to write instead. */
export function compileEcmaPattern(source: string): Pattern | { problem: string } {
  if (source.length > patternLengthMax) return tooLong
  // As it was written, so that the limit is the same wherever a client writes a pattern.
  if (sizeOf(source) > patternStatesMax) return tooManyStates
  try {
    const { alternatives, flags } = readPattern(source)
    const test = testOf(alternatives, flags)
    if (expressionsOf(test).reduce((states, expression) => states + sizeOf(expression), 0) > patternStatesMax) return tooManyStates
    return compileTest(test)
  } catch (error) {
    if (error instanceof PatternProblem) return { problem: error.message }
    throw error
  }
}

/**
 * A look-ahead right after a leading `^`, and a look-behind right before a closing `$`, begin and end where the whole
 * expression does: each can be matched by itself. RE2 has no other way to look around.
 */
function testOf(alternatives: readonly (readonly Term[])[], flags: string): Test {
  if (!alternatives.flat().some(({ look }) => look)) {
    return { matches: flags + alternatives.map((terms) => terms.map(({ text }) => text).join('')).join('|') }
  }
  return { any: alternatives.map((terms) => ofAlternative(terms, flags)) }
}

function ofAlternative(terms: readonly Term[], flags: string): Test {
  const [first, last] = [terms[0], terms.at(-1)]
  let from = 0
  let to = terms.length
  const looks: Test[] = []
  const note = (term: Term, inner: Term[][]) => {
    const test = testOf(inner, flags)
    looks.push(term.look?.negative ? { not: test } : test)
  }
  if (first?.text === '^') {
    from = 1
    for (let term = terms[from]; term?.look?.ahead; term = terms[++from])
      note(
        term,
        term.look.inner.map((inner) => [first, ...inner]),
      )
  }
  if (last?.text === '$') {
    to--
    for (let term = terms[to - 1]; to > from && term?.look?.ahead === false; term = terms[--to - 1])
      note(
        term,
        term.look.inner.map((inner) => [...inner, last]),
      )
  }
  const rest = terms.slice(from, to)
  const misplaced = rest.find(({ look }) => look)?.look
  if (misplaced) throw new PatternProblem(misplaced.ahead ? aheadElsewhere : behindElsewhere)
  const text = [...(from > 0 ? ['^'] : []), ...rest.map((term) => term.text), ...(to < terms.length ? ['$'] : [])].join('')
  return { all: [{ matches: flags + text }, ...looks] }
}

const instead = 'What the text must have besides can be a pattern of its own in "allOf", and what it must not have one in "not"'
const aheadElsewhere = `look-ahead can stand only right after a "^" that begins the pattern or an alternative of it, as in ^(?!tmp-)[a-z-]+$. ${instead}`
const behindElsewhere = `look-behind can stand only right before a "$" that ends the pattern or an alternative of it, as in ^[a-z-]+(?<!-)$. ${instead}`

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
    matches: 'all' in test ? (text) => parts.every((part) => part.matches(text)) : (text) => parts.some((part) => part.matches(text)),
    stepsFor: (text) => parts.reduce((steps, part) => steps + part.stepsFor(text), 0),
  }
}
