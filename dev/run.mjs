/**
 * Runs a command of the local stack, `node dev/run.mjs <command> [arguments]`, on a machine that has only
 * Node 20 and npm: installs missing packages, then hands over to the project's own Node, which runs
 * TypeScript.
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installMissing } from './install.mjs'
import { onEndOfNpm } from './npm-process.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const windows = process.platform === 'win32'

if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(`Tessera needs Node 20 or newer; this is ${process.version}.`)
  process.exit(1)
}

if (!(await installMissing(root, 'the dependencies'))) {
  console.error('Nothing was started.')
  process.exit(1)
}

const [command, ...rest] = process.argv.slice(2)
const node = join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node')
const child = spawn(node, [join(root, 'dev', `${command}.ts`), ...rest], {
  // The fourth is an unused channel: when it closes, the child knows that this process was killed.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  // Node caches compiled code, which halves the work to start a process. This also applies to its child
  // processes.
  env: { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'), ...process.env },
})

/** How long the stack may take to end before it is killed. */
const patienceMs = 2_500

/** Passes a signal on. This process ends after its child, never before. */
function end(signal) {
  child.kill(signal)
  if (command === 'start') setTimeout(() => child.kill('SIGKILL'), patienceMs)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal))
child.on('error', (error) => {
  console.error(error.message)
  process.exit(1)
})
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))

// npm cannot pass on the signal by which it is killed.
if (process.env.npm_lifecycle_event) onEndOfNpm(() => end('SIGTERM'))
