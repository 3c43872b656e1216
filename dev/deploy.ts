/** `npm run deploy`: builds the console, and deploys the Worker with it by wrangler, which takes the arguments. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildConsole } from './build-console.ts'
import { packageProgram } from './package-program.ts'

await buildConsole()
const { status } = spawnSync(
  process.execPath,
  [packageProgram('wrangler'), 'deploy', ...process.argv.slice(2)],
  { cwd: join(import.meta.dirname, '..'), stdio: 'inherit' },
)
process.exitCode = status ?? 1
