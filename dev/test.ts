/** `npm test`: the whole suite, on a Postgres of its own. */
import './assets.ts'
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const vitest = spawn(
  process.execPath,
  [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--config', join(root, 'test', 'vitest.config.ts'), ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    cwd: root,
    // Only who runs everything can say that something was never seen.
    env: { ...process.env, WHOLE_SUITE: process.argv.length === 2 ? '1' : '' },
  },
)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => vitest.kill(signal))
vitest.on('exit', (code) => process.exit(code ?? 1))
