/**
 * Runs tests whose dependencies are in a separate package, because the project does not need them otherwise.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { installMissing } from './install.mjs'

const root = join(import.meta.dirname, '..')

/**
 * Installs the package if its lock file has changed, and runs the tests in test/<name> with the arguments of
 * the command. `what`: the name of its dependencies in messages. `place`: its folder, from the root. The exit
 * code is that of the tests; 1 if none ran.
 */
export async function runPackagedTests(name: string, what: string, place = `test/${name}`): Promise<void> {
  if (!(await installMissing(join(root, place), what))) {
    console.error('No test ran.')
    process.exitCode = 1
    return
  }
  runVitest(name)
}

/** Runs the tests in test/<name> with the arguments of the command. The exit code is theirs. */
export function runVitest(name: string, env: NodeJS.ProcessEnv = {}): void {
  const vitest = spawn(
    process.execPath,
    [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--config',
      join(root, 'test', name, 'vitest.config.ts'),
      ...process.argv.slice(2),
    ],
    { stdio: 'inherit', cwd: root, env: { ...process.env, ...env } },
  )
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => vitest.kill(signal))
  vitest.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
