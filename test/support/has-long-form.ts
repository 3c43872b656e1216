/** The files that `npm run test:long` runs. */
import { readFileSync } from 'node:fs'

/** Tells if a test file is named `*.long.test.ts`, or repeats something more often in a long run. */
export const hasLongForm = (path: string): boolean =>
  path.endsWith('.long.test.ts') || /from '[./]+support\/runs\.ts'/.test(readFileSync(path, 'utf8'))
