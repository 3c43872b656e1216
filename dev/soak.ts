/** `npm run soak`: those tests of the suite that show more the longer they run, at their full length. It takes minutes. */
import './assets.ts'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const files = ['test/events/crashes.test.ts', 'test/security/account-sequences.test.ts']
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--config', join(root, 'test', 'vitest.config.ts'), ...files],
  { stdio: 'inherit', cwd: root, env: { ...process.env, SOAK_CRASHES: '10000', ACCOUNT_SEQUENCES: '1000' } },
)
process.exitCode = status ?? 1
