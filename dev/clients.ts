/** `npm run test:clients`: clients of other makers against a running service. They are installed in test/clients, the first time. */
import './assets.ts'
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'test', 'clients')
const installed = join(folder, 'node_modules', '.installed')
const wanted = createHash('sha256')
  .update(readFileSync(join(folder, 'package-lock.json')))
  .digest('hex')

function install(): boolean {
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return true
  console.error('Installing the clients (about a minute, once) …')
  const windows = process.platform === 'win32'
  const npm = spawnSync(windows ? 'npm.cmd' : 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    shell: windows,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (npm.status === 0) writeFileSync(installed, wanted)
  return npm.status === 0
}

if (install()) {
  const vitest = spawn(
    process.execPath,
    [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--config', join(folder, 'vitest.config.ts'), ...process.argv.slice(2)],
    { stdio: 'inherit', cwd: root },
  )
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => vitest.kill(signal))
  vitest.on('exit', (code) => {
    process.exitCode = code ?? 1
  })
} else {
  console.error('npm ci failed in test/clients; no client was tested.')
  process.exitCode = 1
}
