/**
 * `npm run check`: checks types, lint and format, unused code, that Cloudflare accepts the bundle, and that an
 * isolate starts quickly.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { packageProgram } from './package-program.ts'

const root = join(import.meta.dirname, '..')

const checks: [what: string, program: string, ...args: string[]][] = [
  ['types', packageProgram('typescript', 'tsc'), '--noEmit'],
  ['types of the console', packageProgram('typescript', 'tsc'), '--noEmit', '-p', 'console'],
  [
    'lint and format',
    packageProgram('@biomejs/biome', 'biome'),
    'check',
    '--config-path=dev/lint.json',
    '--error-on-warnings',
    '.',
  ],
  ['unused code', packageProgram('knip')],
  ['the bundle', packageProgram('wrangler'), 'deploy', '--dry-run', '--outdir', join('.tessera', 'bundle')],
  [
    'the bundle of the Worker of MongoDB',
    packageProgram('wrangler'),
    'deploy',
    '--dry-run',
    '--config',
    join('mongodb', 'wrangler.toml'),
    '--outdir',
    join('.tessera', 'mongodb-bundle'),
  ],
  ['the start of an isolate', join('bench', 'start.ts')],
]

let failed = false
for (const [what, program, ...args] of checks) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  })
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${what}`)
  if (status !== 0) {
    failed = true
    console.log(`${stdout}${stderr}`)
  }
}
process.exitCode = failed ? 1 : 0
