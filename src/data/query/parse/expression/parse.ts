/** Parses the tokens of an expression into a tree, with the precedences of Postgres. R11. */
import { callOf } from './call.ts'
import { type Cursor, cursorOver, inParentheses, listed, unsupported, wordOf } from './cursor.ts'
import { isNonAssociative, nextLevel, precedence } from './precedence.ts'
import { ExpressionError, type Syntax } from './syntax.ts'
import type { Token } from './tokens.ts'

/** An expression with its alias, if it has one. */
export interface Named {
  syntax: Syntax
  alias: string | undefined
}

/** Parses one expression, with `as <alias>` after it or not. Throws an ExpressionError. */
export function parseNamed(tokens: readonly Token[]): Named {
  const c = cursorOver(tokens)
  if (c.peek().kind === 'end') throw new ExpressionError(c.peek().at, 'An expression is missing.')
  const syntax = expression(c)
  const alias = c.accept('as') ? aliasOf(c.next()) : undefined
  if (c.peek().kind !== 'end') throw c.unexpected()
  return { syntax, alias }
}

function aliasOf({ kind, text, at }: Token): string {
  if ((kind === 'name' || kind === 'quoted') && /^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(text)) return text
  throw new ExpressionError(
    at,
    'An alias begins with a letter or an underscore and has up to 63 letters, digits and underscores.',
  )
}

/** Parses operators that bind at least as tightly as `least`, with their operands. */
const expression = (c: Cursor, least = 0): Syntax =>
  c.nested(() => {
    let left = prefix(c)
    let levelBefore = 0
    for (let level = nextLevel(c); level >= least; level = nextLevel(c)) {
      if (level === levelBefore && isNonAssociative(level))
        throw new ExpressionError(
          c.peek().at,
          'Comparisons cannot be chained. Use parentheses or AND, for example a < b AND b < c.',
        )
      left = infix(c, left, level)
      levelBefore = level
    }
    return left
  })

function infix(c: Cursor, left: Syntax, level: number): Syntax {
  const { at } = c.peek()
  const operation = (operator: string, ...operands: Syntax[]): Syntax => ({
    kind: 'operation',
    at,
    operator,
    operands: [left, ...operands],
  })
  const not = c.accept('not') ? 'not ' : ''
  const word = wordOf(c.next()) as string
  switch (word) {
    case '::':
      return { kind: 'cast', at, operand: left, type: typeName(c) }
    case 'is': {
      const is = c.accept('not') ? 'is not' : 'is'
      const state = ['null', 'true', 'false'].find((one) => c.accept(one))
      if (!state) throw c.unexpected('NULL, TRUE or FALSE')
      return operation(`${is} ${state}`)
    }
    case 'in':
      return operation(`${not}in`, ...inParentheses(c, () => listed(c, expression)))
    case 'between': {
      const low = expression(c, level + 1)
      c.expect('and')
      return operation(`${not}between`, low, expression(c, level + 1))
    }
    case 'at':
      c.expect('time', 'zone')
      return operation('at time zone', expression(c, level + 1))
    default:
      return operation(word === '!=' ? '<>' : word, expression(c, level + 1))
  }
}

function prefix(c: Cursor): Syntax {
  const { at } = c.peek()
  if (c.accept('not'))
    return { kind: 'operation', at, operator: 'not', operands: [expression(c, precedence.not)] }
  const sign = ['-', '+'].find((one) => c.accept(one))
  if (!sign) return primary(c)
  const operand = expression(c, precedence.sign)
  const isNegative =
    sign === '-' && operand.kind === 'constant' && operand.of === 'number' && !operand.text.startsWith('-')
  return isNegative
    ? { ...operand, at, text: `-${operand.text}` }
    : { kind: 'operation', at, operator: `${sign}…`, operands: [operand] }
}

function primary(c: Cursor): Syntax {
  const { kind, at, text } = c.peek()
  if (kind === 'number' || kind === 'string') {
    c.next()
    return { kind: 'constant', at, of: kind, text }
  }
  if (kind === 'quoted' || kind === 'path') return named(c)
  if (c.isAt('(')) return inParentheses(c, expression)
  if (kind === 'symbol' && text === '*') throw new ExpressionError(at, '* is only allowed in count(*).')
  if (kind !== 'name') throw c.unexpected()
  const word = text.toLowerCase()
  if (isUnsupported(c, word)) throw c.unexpected()
  return (keywords.get(word) ?? calls.get(c.isAt(word, '(') ? word : '') ?? named)(c)
}

/** Words that can follow a whole expression. */
const followers = new Set([
  'and',
  'or',
  'not',
  'is',
  'in',
  'between',
  'at',
  'as',
  'from',
  'when',
  'then',
  'else',
  'end',
  'order',
])

/**
 * Tells whether a word begins SQL that is not supported. A field can have the same name: the word is the
 * field unless an operand follows it.
 */
function isUnsupported(c: Cursor, word: string): boolean {
  if (!unsupported.has(word)) return false
  const { kind, text } = c.peek(1)
  const isOperand =
    kind === 'symbol'
      ? text === '('
      : kind !== 'end' && !(kind === 'name' && followers.has(text.toLowerCase()))
  return isOperand || word === 'select'
}

function constant(c: Cursor): Syntax {
  const { at, text } = c.next()
  const word = text.toLowerCase()
  return { kind: 'constant', at, of: word === 'null' ? word : 'boolean', text: word }
}

/** Reserved words: no field is addressed by them without quotes. */
const keywords = new Map<string, (c: Cursor) => Syntax>([
  ['null', constant],
  ['true', constant],
  ['false', constant],
  ['case', cases],
])

/** Functions with keywords between their parentheses. */
const calls = new Map<string, (c: Cursor) => Syntax>([
  ['cast', cast],
  ['extract', extract],
])

function cases(c: Cursor): Syntax {
  const { at } = c.next()
  const subject = c.isAt('when') ? undefined : expression(c)
  const branches: { when: Syntax; result: Syntax }[] = []
  do {
    c.expect('when')
    const when = expression(c)
    c.expect('then')
    branches.push({
      when: subject ? { kind: 'operation', at: when.at, operator: '=', operands: [subject, when] } : when,
      result: expression(c),
    })
  } while (c.isAt('when'))
  const otherwise = c.accept('else') ? expression(c) : undefined
  c.expect('end')
  return { kind: 'case', at, branches, otherwise }
}

function cast(c: Cursor): Syntax {
  const { at } = c.next()
  return inParentheses(c, () => {
    const operand = expression(c)
    c.expect('as')
    return { kind: 'cast', at, operand, type: typeName(c) }
  })
}

function extract(c: Cursor): Syntax {
  const { at } = c.next()
  return inParentheses(c, () => {
    const unit = c.next()
    if (unit.kind !== 'name' && unit.kind !== 'string')
      throw new ExpressionError(unit.at, 'The name of a unit is expected, for example extract(year from …).')
    c.expect('from')
    const part: Syntax = { kind: 'constant', at: unit.at, of: 'string', text: unit.text }
    return {
      kind: 'call',
      at,
      name: 'extract',
      distinct: false,
      operands: [part, expression(c)],
      order: [],
      isWithinGroup: false,
      filter: undefined,
    }
  })
}

/** Parses a field, a path to a field or a property, or a function call. */
function named(c: Cursor): Syntax {
  const { at, path, text } = c.next()
  if (!path) throw new ExpressionError(at, 'The name of a field is expected.')
  return c.isAt('(')
    ? callOf(c, at, text.toLowerCase(), expression)
    : { kind: 'column', at, path, name: text }
}

/** Returns the words of a type in lower case: `double precision`, `timestamp with time zone`. */
function typeName(c: Cursor): string {
  const { kind, text, at } = c.next()
  if (kind !== 'name') throw new ExpressionError(at, 'The name of a type is expected.')
  let type = text.toLowerCase()
  if (type === 'double' && c.accept('precision')) type += ' precision'
  const zone = ['with', 'without'].find((word) => c.accept(word, 'time', 'zone'))
  if (zone) type += ` ${zone} time zone`
  if (c.isAt('('))
    throw new ExpressionError(
      c.peek().at,
      'Types cannot have a length or precision here. To round a number, use round(x, 2).',
    )
  return type
}
