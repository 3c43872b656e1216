/**
 * Holds the log of each test, and prints it only if the test fails. Vitest would send every line to its main
 * process, with a stack trace, and drop those of passed tests there. That takes a tenth of the suite's time.
 */
import { afterAll, beforeEach } from 'vitest'

const print = console.log
const held: unknown[][] = []
let hasTests = false

console.log = (...line) => void held.push(line)

beforeEach(({ onTestFailed }) => {
  hasTests = true
  held.length = 0
  onTestFailed(printHeld)
})

afterAll(() => {
  console.log = print
  // The preparation of the file has failed.
  if (!hasTests) printHeld()
})

function printHeld(): void {
  for (const line of held) print(...line)
}
