/** Rows of CSV, read as a stream. */
import { pipeline, Readable } from 'node:stream'
import { CsvError, type Options, parse } from 'csv-parse'
import { csvFaults, lengthFault } from '../../../src/kernel/lib/csv.ts'
import type { Dialect } from '../dialect.ts'
import { FaultsError } from '../faults.ts'
import { delimiterHint } from '../sniff.ts'
import { newlines, rowLengthMax } from '../text.ts'
import { headerReader } from './header-reader.ts'
import type { Row } from './row.ts'

/** The options for reading a file. */
export interface CsvForm {
  file: string
  dialect: Dialect
  /** The labels of a file without a header. */
  names: readonly string[] | undefined
}

/**
 * Reads the rows. A row with too few or too many values has a fault. Throws FaultsError if the text cannot be
 * split into rows.
 */
export async function* csvRows(
  text: AsyncIterable<string>,
  { file, dialect, names }: CsvForm,
): AsyncGenerator<Row> {
  const headerFor = headerReader(dialect, names)
  // An error while the text is read reaches the reader of the rows.
  const parser = pipeline(Readable.from(text), parse(optionsOf(dialect)), () => undefined)
  let twice = 0
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[]
      info: { lines: number }
    }>) {
      // The parser counts the lines up to the end of the record, and each CRLF within quotes twice.
      const within = record.join('')
      twice += within.split('\r\n').length - 1
      const line = info.lines - twice - newlines(within)
      const header = headerFor(record, line)
      if (!header) continue
      const { length } = header.labels
      const row = { file, line, header, values: record }
      const hint = record.length === 1 ? delimiterHint(record[0], dialect.delimiter) : ''
      yield record.length === length ? row : { ...row, fault: lengthFault(record.length, length) + hint }
    }
  } catch (error) {
    throw error instanceof CsvError
      ? new FaultsError([{ file, line: Number(error.lines) || undefined, text: reasonOf(error) }])
      : error
  }
}

const optionsOf = (dialect: Dialect): Options => {
  const ends = ['\r\n', '\n', '\r']
  const { lineTerminator, commentChar, quoteChar, escapeChar } = dialect
  return {
    bom: true,
    info: true,
    delimiter: dialect.delimiter,
    quote: quoteChar ?? false,
    escape: escapeChar ?? quoteChar ?? null,
    ...(commentChar === undefined ? {} : { comment: commentChar, comment_no_infix: true }),
    ltrim: dialect.skipInitialSpace,
    record_delimiter: lineTerminator && !ends.includes(lineTerminator) ? [lineTerminator, ...ends] : ends,
    relax_column_count: true,
    // A quote within an unquoted value has no special meaning.
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: rowLengthMax,
  }
}

const reasons: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: csvFaults.notClosed,
  CSV_MAX_RECORD_SIZE: `A row has more than ${rowLengthMax} characters. Is a quote opened and never closed?`,
  CSV_INVALID_CLOSING_QUOTE: csvFaults.behindQuote,
}

const reasonOf = ({ code, message }: CsvError): string => reasons[code] ?? message
