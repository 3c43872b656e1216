/** Tables of Markdown. */

/** Writes a table. Columns after the first are aligned to the right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(header), `|---|${'--:|'.repeat(header.length - 1)}`, ...rows.map(line)].join('\n')
}

/** Writes a number with three digits, and no more decimals than it needs. */
export function short(value: number): string {
  if (value >= 100) return value.toFixed()
  return value.toFixed(value >= 10 ? 1 : 2)
}
