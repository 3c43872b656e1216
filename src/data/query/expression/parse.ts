/** From words to the tree of an expression, with the precedences of Postgres. What is no expression is refused by name and position. R11. */
import { type Cursor, cursorOver, unsupported, wordOf } from './cursor.ts'
import { type Call, RefusedExpression, type Syntax } from './syntax.ts'
import type { Token } from './tokens.ts'

export interface Named {
  syntax: Syntax
  alias: string | undefined
}

/** One expression, perhaps with `as <alias>`. Throws what is wrong with it. */
export function parseNamed(tokens: readonly Token[]): Named {
  const c = cursorOver(tokens)
  if (c.peek().kind === 'end') throw new RefusedExpression(c.peek().at, 'An expression is missing.')
  const syntax = expression(c)
  const alias = c.accept('as') ? aliasOf(c.next()) : undefined
  if (c.peek().kind !== 'end') throw c.unexpected()
  return { syntax, alias }
}

function aliasOf({ kind, text, at }: Token): string {
  if ((kind === 'name' || kind === 'quoted') && /^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(text)) return text
  throw new RefusedExpression(at, 'An alias begins with a letter or an underscore and has up to 63 letters, digits and underscores.')
}

/** How tightly operators hold what stands beside them. */
const power = { or: 1, and: 2, not: 3, is: 4, compare: 5, range: 6, sum: 7, product: 8, zone: 9, sign: 10, cast: 11 } as const

const powers = new Map<string, number>([
  ['or', power.or],
  ['and', power.and],
  ['is', power.is],
  ...['=', '<>', '!=', '<', '<=', '>', '>='].map((sign) => [sign, power.compare] as const),
  ['in', power.range],
  ['between', power.range],
  ...['+', '-'].map((sign) => [sign, power.sum] as const),
  ...['*', '/', '%'].map((sign) => [sign, power.product] as const),
  ['at', power.zone],
  ['::', power.cast],
])

/** Of these, two in a row mean nothing: `1 < 2 < 3`. */
const isChained = (level: number) => level === power.is || level === power.compare || level === power.range

const expression = (c: Cursor, least = 0): Syntax =>
  c.nested(() => {
    let left = prefix(c)
    for (let before = 0; ; ) {
      const level = c.isAt('not', 'in') || c.isAt('not', 'between') ? power.range : (powers.get(wordOf(c.peek()) ?? '') ?? -1)
      if (level < least) return left
      if (level === before && isChained(level))
        throw new RefusedExpression(c.peek().at, 'Comparisons are not chained: parentheses, or AND, say what is meant.')
      left = infix(c, left, level)
      before = level
    }
  })

function infix(c: Cursor, left: Syntax, level: number): Syntax {
  const { at } = c.peek()
  const operation = (operator: string, ...operands: Syntax[]): Syntax => ({ kind: 'operation', at, operator, operands: [left, ...operands] })
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
      return operation(`${not}in`, ...inParentheses(c, operands))
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
  if (c.accept('not')) return { kind: 'operation', at, operator: 'not', operands: [expression(c, power.not)] }
  const sign = ['-', '+'].find((one) => c.accept(one))
  if (!sign) return primary(c)
  const operand = expression(c, power.sign)
  const isNegative = sign === '-' && operand.kind === 'constant' && operand.of === 'number' && !operand.text.startsWith('-')
  return isNegative ? { ...operand, at, text: `-${operand.text}` } : { kind: 'operation', at, operator: `${sign}…`, operands: [operand] }
}

function primary(c: Cursor): Syntax {
  const { kind, at, text } = c.peek()
  if (kind === 'number' || kind === 'string') {
    c.next()
    return { kind: 'constant', at, of: kind, text }
  }
  if (kind === 'quoted') return named(c)
  if (c.isAt('(')) return inParentheses(c, expression)
  if (kind === 'symbol' && text === '*') throw new RefusedExpression(at, 'A star stands in count(*) alone.')
  if (kind !== 'name') throw c.unexpected()
  const word = text.toLowerCase()
  if (isUnsupported(c, word)) throw c.unexpected()
  return (keywords.get(word) ?? calls.get(c.isAt(word, '(') ? word : '') ?? named)(c)
}

/** What can stand after a whole expression. */
const followers = new Set(['and', 'or', 'not', 'is', 'in', 'between', 'at', 'as', 'from', 'when', 'then', 'else', 'end', 'order'])

/** A field may have the name of what SQL has and we do not: it is the field where nothing follows that would belong to the other. */
function isUnsupported(c: Cursor, word: string): boolean {
  if (!unsupported.has(word)) return false
  const { kind, text } = c.peek(1)
  const isOperand = kind === 'symbol' ? text === '(' : kind !== 'end' && !(kind === 'name' && followers.has(text.toLowerCase()))
  return isOperand || word === 'select'
}

function constant(c: Cursor): Syntax {
  const { at, text } = c.next()
  const word = text.toLowerCase()
  return { kind: 'constant', at, of: word === 'null' ? word : 'boolean', text: word }
}

/** Words that stand for no field, and that are no function. */
const keywords = new Map<string, (c: Cursor) => Syntax>([
  ['null', constant],
  ['true', constant],
  ['false', constant],
  ['case', cases],
])

/** Functions with words of their own between the parentheses. */
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
    const said = expression(c)
    c.expect('then')
    branches.push({ when: subject ? { kind: 'operation', at: said.at, operator: '=', operands: [subject, said] } : said, result: expression(c) })
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
    if (unit.kind !== 'name' && unit.kind !== 'string') throw new RefusedExpression(unit.at, 'The name of a part is expected: extract(year from …).')
    c.expect('from')
    const part: Syntax = { kind: 'constant', at: unit.at, of: 'string', text: unit.text }
    return { kind: 'call', at, name: 'extract', distinct: false, operands: [part, expression(c)], filter: undefined }
  })
}

/** A field, a path with dots, or a function. */
function named(c: Cursor): Syntax {
  const { at, text } = c.next()
  let name = text
  while (c.accept('.')) {
    const part = c.next()
    if (part.kind !== 'name' && part.kind !== 'quoted') throw new RefusedExpression(part.at, 'After a dot the name of a field is expected.')
    name += `.${part.text}`
  }
  return c.isAt('(') ? call(c, at, name.toLowerCase()) : { kind: 'column', at, name }
}

function call(c: Cursor, at: number, name: string): Call {
  const { distinct, given } = inParentheses(c, () => {
    if (c.isAt('*', ')')) return { distinct: false, given: c.next().text as '*' }
    const isDistinct = c.accept('distinct')
    const list = c.isAt(')') && !isDistinct ? [] : operands(c)
    if (c.isAt('order', 'by')) throw new RefusedExpression(c.peek().at, orderedAlready)
    return { distinct: isDistinct, given: list }
  })
  const filter = c.accept('filter')
    ? inParentheses(c, () => {
        c.expect('where')
        return expression(c)
      })
    : undefined
  return { kind: 'call', at, name, distinct, operands: given, filter }
}

const orderedAlready = 'ORDER BY is not supported here: lists are in the order of the primary key, those of DISTINCT in their own.'

function operands(c: Cursor): Syntax[] {
  const list = [expression(c)]
  while (c.accept(',')) list.push(expression(c))
  return list
}

function inParentheses<Result>(c: Cursor, parse: (c: Cursor) => Result): Result {
  c.expect('(')
  const result = parse(c)
  c.expect(')')
  return result
}

/** The words of a type, in lower case: `double precision`, `timestamp with time zone`. */
function typeName(c: Cursor): string {
  const { kind, text, at } = c.next()
  if (kind !== 'name') throw new RefusedExpression(at, 'The name of a type is expected.')
  let type = text.toLowerCase()
  if (type === 'double' && c.accept('precision')) type += ' precision'
  const zone = ['with', 'without'].find((word) => c.accept(word, 'time', 'zone'))
  if (zone) type += ` ${zone} time zone`
  if (c.isAt('(')) throw new RefusedExpression(c.peek().at, 'Types have no length or precision here: round(x, 2) rounds.')
  return type
}
