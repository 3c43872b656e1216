/** Which files `npm run test:long` runs. */
import { readFileSync } from 'node:fs'

/** Returns whether a file of tests is named `*.long.test.ts`, or does something more often in a long run. */
export const hasLongForm = (path: string): boolean =>
  path.endsWith('.long.test.ts') || /from '[./]+support\/runs\.ts'/.test(readFileSync(path, 'utf8'))
