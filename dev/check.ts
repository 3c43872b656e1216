/** `npm run check`: types, lint and format, unused code, and that the bundle is one Cloudflare takes. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const bin = (name: string) => join(root, 'node_modules', '.bin', name)

const checks: [what: string, command: string, ...args: string[]][] = [
  ['types', bin('tsc'), '--noEmit'],
  ['lint and format', bin('biome'), 'check', '--config-path=dev/lint.json', '--error-on-warnings', '.'],
  ['unused code', bin('knip')],
  ['the bundle', bin('wrangler'), 'deploy', '--dry-run', '--outdir', join('.tessera', 'bundle')],
]

let failed = false
for (const [what, command, ...args] of checks) {
  const { status, stdout, stderr } = spawnSync(command, args, {
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
