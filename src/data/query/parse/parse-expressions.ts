/** Parses lists of expressions: aggregations and annotations. R11. */
import type { Problems } from '../problems.ts'
import type { ExpressionInput } from './ast.ts'
import { parseNamed } from './expression/parse.ts'
import { ExpressionError } from './expression/syntax.ts'
import { type Token, tokensOf } from './expression/tokens.ts'

/** The parameter whose expressions are computed for each record. */
export const annotationParameter = '_annotate'

/**
 * Parses the values to compute for each record. Repeated parameters are combined. Adds each problem to
 * `problems`.
 */
export const parseAnnotations = (parameters: URLSearchParams, problems: Problems): ExpressionInput[] =>
  parameters
    .getAll(annotationParameter)
    .filter((text) => text.trim() !== '')
    .flatMap((text) => parseExpressions(annotationParameter, text, problems))

/**
 * Parses expressions separated by commas. A problem in one does not hide those of the others. Adds each
 * problem to `problems`.
 */
export function parseExpressions(
  parameter: ExpressionInput['parameter'],
  text: string,
  problems: Problems,
): ExpressionInput[] {
  const reportError = <Result>(run: () => Result): Result | undefined => {
    try {
      return run()
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      problems.add(parameter, error.located)
      return undefined
    }
  }
  const parts = reportError(() => splitAtCommas(tokensOf(text))) ?? []
  return parts.flatMap((tokens) => {
    const named = reportError(() => parseNamed(tokens))
    return named ? [{ parameter, ...named }] : []
  })
}

/**
 * Splits tokens at commas outside of parentheses. Each part ends with an end token at the position of the
 * comma.
 */
function splitAtCommas(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    const sign = token.kind === 'symbol' ? token.text : ''
    depth += Number(sign === '(') - Number(sign === ')')
    const isBetween = sign === ',' && depth <= 0
    parts.at(-1)?.push(isBetween ? { ...token, kind: 'end', text: '' } : token)
    if (isBetween) parts.push([])
  }
  return parts
}
