/** Some commands need a newer Node than the command line itself. */
import { Problem } from './problem.ts'

/** Throws if this Node is older than `first`. `what` needs it, as the plural subject of the message. */
export function requireNode(
  first: readonly [major: number, minor: number],
  what: string,
  present = process.versions.node,
): void {
  const [major = 0, minor = 0] = present.split('.').map(Number)
  if (major > first[0] || (major === first[0] && minor >= first[1])) return
  throw new Problem(`${what} need Node ${first.join('.')} or newer. This is Node ${present}.`)
}
