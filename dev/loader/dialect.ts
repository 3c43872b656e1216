/** How a file writes its rows: the members of a Table Dialect, including the standard's first version. */
import type { Members } from './descriptor.ts'
import { Refusal } from './refusal.ts'

/** A dialect with its defaults. */
export interface Dialect {
  delimiter: string
  quoteChar: string | undefined
  escapeChar: string | undefined
  lineTerminator: string | undefined
  skipInitialSpace: boolean
  /** Whether labels are compared with names case-sensitively. */
  isCaseSensitive: boolean
  /** The rows of the header, from 1; none if the file has no header. */
  headerRows: readonly number[]
  headerJoin: string
  commentChar: string | undefined
  commentRows: readonly number[]
  /** A text that means no value, in addition to `missingValues`. */
  nullSequence: string | undefined
  /** The member of a JSON object that has the rows. */
  property: string | undefined
  /** The names of the fields, for rows that are arrays. */
  itemKeys: readonly string[] | undefined
  sheet: string | number | undefined
}

type Check = (value: unknown) => boolean
const isText: Check = (value) => typeof value === 'string' && value !== ''
const isAnyText: Check = (value) => typeof value === 'string'
const isFlag: Check = (value) => typeof value === 'boolean'
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) > 0
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)

/** The supported members, each with its allowed values. Others have no effect here. */
const members: Record<string, [check: Check, wanted: string]> = {
  delimiter: [isText, 'a text of at least one character'],
  quoteChar: [isAnyText, 'a text'],
  escapeChar: [isAnyText, 'a text'],
  lineTerminator: [isText, 'a text of at least one character'],
  doubleQuote: [isFlag, 'true or false'],
  skipInitialSpace: [isFlag, 'true or false'],
  caseSensitiveHeader: [isFlag, 'true or false'],
  header: [isFlag, 'true or false'],
  headerRows: [isListOf(isCount), 'an array of numbers of rows, from 1'],
  headerJoin: [isAnyText, 'a text'],
  commentChar: [isAnyText, 'a text'],
  commentRows: [isListOf(isCount), 'an array of numbers of rows, from 1'],
  nullSequence: [isAnyText, 'a text'],
  property: [isText, 'the name of a member'],
  itemKeys: [isListOf(isText), 'an array of names'],
  sheetName: [isText, 'the name of a sheet'],
  sheetNumber: [isCount, 'the number of a sheet, from 1'],
}

/** Reads a dialect. `what` is what messages call it. Throws a Refusal that names the member at fault. */
export function readDialect(input: Members | undefined, what: string, defaultDelimiter: string): Dialect {
  const given = withoutFormats(input ?? {})
  for (const [name, [check, wanted]] of Object.entries(members)) {
    const value = given[name]
    if (value !== undefined && value !== null && !check(value))
      throw new Refusal(`${what}.${name} is ${JSON.stringify(value)}; it has to be ${wanted}.`)
  }
  const text = (name: string) => (given[name] as string | undefined) || undefined
  const quoteChar = given.quoteChar === '' ? undefined : (text('quoteChar') ?? '"')
  return {
    delimiter: text('delimiter') ?? defaultDelimiter,
    quoteChar,
    escapeChar: text('escapeChar') ?? (given.doubleQuote === false ? undefined : quoteChar),
    lineTerminator: text('lineTerminator'),
    skipInitialSpace: given.skipInitialSpace === true,
    isCaseSensitive: given.caseSensitiveHeader !== false,
    headerRows: given.header === false ? [] : ((given.headerRows as number[] | undefined) ?? [1]),
    headerJoin: (given.headerJoin as string | undefined) ?? ' ',
    commentChar: text('commentChar'),
    commentRows: (given.commentRows as number[] | undefined) ?? [],
    nullSequence: given.nullSequence as string | undefined,
    property: text('property'),
    itemKeys: given.itemKeys as string[] | undefined,
    sheet: text('sheetName') ?? (given.sheetNumber as number | undefined),
  }
}

/** Some tools write the members for each format below its name: `{"csv": {"delimiter": ";"}}`. */
function withoutFormats(dialect: Members): Members {
  const below = (name: string) => (typeof dialect[name] === 'object' ? (dialect[name] as Members) : {})
  const excel = below('excel')
  const sheet = typeof excel.sheet === 'number' ? { sheetNumber: excel.sheet } : { sheetName: excel.sheet }
  return { ...below('csv'), ...below('json'), ...(excel.sheet === undefined ? {} : sheet), ...dialect }
}
