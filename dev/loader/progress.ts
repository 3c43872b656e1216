/** Shows a progress bar on a terminal; elsewhere, prints one line per table. */
import { stripVTControlCharacters } from 'node:util'

const width = 30
const number = (value: number): string => value.toLocaleString('en')

let isSilent = false
/** Prints nothing from now on, because the output is for a program. */
export const silenceProgress = (): void => {
  isSilent = true
}

/** Prints a line for the person at the terminal. */
export function say(line: string): void {
  if (!isSilent) console.log(line)
}

/** Shows how much of a known number is done. Without a terminal, prints only a line at the end. */
export function showProgress(label: string, done: number, total: number): void {
  const { stdout } = process
  if (isSilent) return
  const line = `${label.padEnd(24)} ${number(done)}/${number(total)}`
  if (!stdout.isTTY) {
    if (done === total) say(line)
    return
  }
  const filled = total === 0 ? width : Math.round((Math.min(done, total) / total) * width)
  stdout.write(
    `\r\x1b[2K${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${line}${done === total ? '\n' : ''}`,
  )
}

/** How often a count is updated, in milliseconds. */
const countMs = 100
let shownAt = 0

/** Shows on a terminal how much is read if the total is unknown. */
export function showCount(label: string, done: number): void {
  const { stdout } = process
  if (isSilent || !stdout.isTTY || Date.now() - shownAt < countMs) return
  shownAt = Date.now()
  const line = stripVTControlCharacters(`${label.padEnd(24)} ${number(done)} rows read`)
  stdout.write(`\r\x1b[2K${line.slice(0, (stdout.columns || 80) - 1)}`)
}

/** Removes the line of a count. */
export function clearCount(): void {
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[2K')
}
