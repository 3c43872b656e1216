/** Writes tables and numbers in Markdown. */

/** Writes a table. Columns after the first are aligned to the right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(header), `|---|${'--:|'.repeat(header.length - 1)}`, ...rows.map(line)].join('\n')
}

/** Writes a number with three significant digits, without unnecessary decimals. */
export function short(value: number): string {
  if (value >= 100) return value.toFixed()
  return value.toFixed(value >= 10 ? 1 : 2)
}
