/** The output of a command: for people on a terminal, or one JSON document with `--json`. */
import { plainLine, plainText } from './plain.ts'

/** Highlights text. */
type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow'

const codes: Readonly<Record<Style, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
}

/** A cell of a table. */
type Cell = string | number | boolean | null | undefined

/** Prints the results of a command. */
export interface Output {
  isJson: boolean
  /** Prints the result: `json` with `--json`, otherwise what `show` prints. */
  result(json: unknown, show: () => void): void
  /** Prints a line for people; nothing with `--json`. */
  line(text?: string, style?: Style): void
  /** Prints text of other people unchanged, except control characters. */
  text(text: string): void
  /** Prints rows below headings. */
  table(headings: readonly string[], rows: readonly (readonly Cell[])[]): void
  /** Prints one value per line as JSON, with `--json`; otherwise what `show` prints. For endless output. */
  item(json: unknown, show: () => void): void
  /** Prints progress to the standard error. */
  note(text: string): void
}

/** Creates the output. Colours need a terminal, and no NO_COLOR. */
export function makeOutput(isJson: boolean, environment: NodeJS.ProcessEnv = process.env): Output {
  const hasColours = (stream: NodeJS.WriteStream) => Boolean(stream.isTTY) && !environment.NO_COLOR
  const styled = (text: string, style: Style | undefined, stream: NodeJS.WriteStream) => {
    if (style === undefined || !hasColours(stream)) return text
    const [on, off] = codes[style]
    return `\u001b[${on}m${text}\u001b[${off}m`
  }
  const print = (text: string) => process.stdout.write(`${text}\n`)
  const line = (text = '', style?: Style) => {
    if (!isJson) print(styled(plainText(text), style, process.stdout))
  }
  return {
    isJson,
    result: (json, show) => (isJson ? void print(JSON.stringify(json, null, 2)) : show()),
    item: (json, show) => (isJson ? void print(JSON.stringify(json)) : show()),
    line,
    text: (text) => void print(plainText(text)),
    table(headings, rows) {
      if (isJson) return
      const cells = rows.map((row) => row.map((cell) => plainLine(cell ?? '')))
      const widths = headings.map((heading, column) =>
        Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)),
      )
      const written = (row: readonly string[]) =>
        row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()
      print(styled(written(headings), 'dim', process.stdout))
      for (const row of cells) print(written(row))
    },
    note: (text) => void process.stderr.write(`${styled(plainText(text), 'dim', process.stderr)}\n`),
  }
}

/** Prints an error to the standard error. */
export function printError(message: string, json: object | undefined): void {
  const isRed = process.stderr.isTTY && !process.env.NO_COLOR
  const text = json ? JSON.stringify({ error: json }, null, 2) : plainText(message)
  process.stderr.write(isRed && !json ? `\u001b[31m${text}\u001b[39m\n` : `${text}\n`)
}
