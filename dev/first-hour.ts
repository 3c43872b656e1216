/**
 * `npm run test:first-hour`: tests a newcomer's first hour, in a fresh clone with an empty npm cache. Takes
 * minutes.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const config = join(root, 'test', 'first-hour', 'vitest.config.ts')

const tests = spawn(process.execPath, [vitest, 'run', '--config', config, ...process.argv.slice(2)], {
  stdio: 'inherit',
  cwd: root,
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => tests.kill(signal))
tests.on('exit', (code) => {
  process.exitCode = code ?? 1
})
