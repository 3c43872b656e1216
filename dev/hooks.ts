/**
 * `npm run hooks`: lets git check each commit before it is made. The check takes some seconds: lint and
 * format of the staged files, and the rules of the architecture.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { packageProgram } from './package-program.ts'

const root = join(import.meta.dirname, '..')
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' })

/** Returns whether a program of a package succeeds. It prints what it has found. */
const passes = (program: string, ...args: string[]): boolean =>
  spawnSync(process.execPath, [program, ...args], { cwd: root, stdio: 'inherit' }).status === 0

/** Checks the files as they are in the folder, also where only parts of a file are staged. */
function checkStaged(): boolean {
  const staged = git('diff', '--cached', '--name-only', '--diff-filter=ACMR', '-z')
    .split('\0')
    .filter(Boolean)
  const linted = passes(
    packageProgram('@biomejs/biome', 'biome'),
    'check',
    '--config-path=dev/lint.json',
    '--error-on-warnings',
    '--no-errors-on-unmatched',
    ...staged,
  )
  const vitest = [
    'run',
    '--config',
    'test/vitest.config.ts',
    '--project',
    'unit',
    'test/architecture.test.ts',
  ]
  return linted && passes(packageProgram('vitest'), ...vitest)
}

if (process.argv[2] === 'check') process.exitCode = checkStaged() ? 0 : 1
else {
  git('config', 'core.hooksPath', 'dev/hooks')
  console.log('git will check each commit: dev/hooks/pre-commit. git commit --no-verify omits the check.')
}
