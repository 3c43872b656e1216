/** A progress bar on a terminal; elsewhere a line a table. */
const width = 30

export function showProgress(label: string, done: number, total: number): void {
  const { stdout } = process
  const line = `${label.padEnd(24)} ${done.toLocaleString('en')}/${total.toLocaleString('en')}`
  if (!stdout.isTTY) {
    if (done === total) console.log(line)
    return
  }
  const filled = total === 0 ? width : Math.round((done / total) * width)
  stdout.write(`\r\x1b[2K${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${line}${done === total ? '\n' : ''}`)
}
