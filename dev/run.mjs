/**
 * Runs a command of the local stack, `node dev/run.mjs <command> [arguments]`, on a machine that has nothing but
 * Node 20 and npm: installs what is missing, then hands over to the project's own Node, which runs TypeScript.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const windows = process.platform === 'win32'
const installed = join(root, 'node_modules', '.installed')
const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')

if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(`Tessera needs Node 20 or newer; this is ${process.version}.`)
  process.exit(1)
}

if (!existsSync(installed) || readFileSync(installed, 'utf8') !== wanted) {
  console.error('Installing what is missing (about half a minute, once) …')
  const install = spawnSync(windows ? 'npm.cmd' : 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    shell: windows,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (install.status !== 0) {
    console.error('npm ci failed; nothing was started.')
    process.exit(1)
  }
  writeFileSync(installed, wanted)
}

const [command, ...rest] = process.argv.slice(2)
const node = join(root, 'node_modules', '.bin', windows ? 'node.cmd' : 'node')
const child = spawn(node, [join(root, 'dev', `${command}.ts`), ...rest], { stdio: 'inherit', shell: windows })

// The child decides when it is done: a signal is passed on, and this process ends after it, never before.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', (error) => {
  console.error(error.message)
  process.exit(1)
})
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
