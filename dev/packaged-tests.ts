/** Tests in a folder that is a package of its own, with dependencies that the project does not need otherwise. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { installMissing } from './install.mjs'

const root = join(import.meta.dirname, '..')

/**
 * Installs the package in test/<name> if its lock file has changed, and runs its tests with the arguments of the
 * command. `what`: the name of its dependencies in messages. The exit code is that of the tests; 1 if none ran.
 */
export async function runPackagedTests(name: string, what: string): Promise<void> {
  const folder = join(root, 'test', name)
  if (!(await installMissing(folder, what))) {
    console.error('No test ran.')
    process.exitCode = 1
    return
  }
  const vitest = spawn(
    process.execPath,
    [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--config',
      join(folder, 'vitest.config.ts'),
      ...process.argv.slice(2),
    ],
    { stdio: 'inherit', cwd: root },
  )
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => vitest.kill(signal))
  vitest.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
