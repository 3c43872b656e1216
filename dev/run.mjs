/**
 * Runs a command of the local stack, `node dev/run.mjs <command> [arguments]`, on a machine that has nothing but
 * Node 20 and npm: installs what is missing, then hands over to the project's own Node, which runs TypeScript.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { basename, dirname, join } from 'node:path'
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
// The fourth is a channel on which nothing is said: its end tells the child that this process was killed.
const stdio = ['inherit', 'inherit', 'inherit', ...(windows ? [] : ['ipc'])]
const child = spawn(node, [join(root, 'dev', `${command}.ts`), ...rest], { stdio, shell: windows })

/** How long the stack has to end before it is killed. */
const patienceMs = 2_500

/** The child decides when it is done: this process ends after it, never before. */
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
const ancestors = process.env.npm_lifecycle_event && !windows ? untilNpm() : []
if (ancestors.length > 0) {
  const watch = setInterval(() => {
    if (ancestors.every(([pid, parent]) => parentOf(pid) === parent)) return
    clearInterval(watch)
    end('SIGTERM')
  }, 500)
}

/** Pairs of a process and its parent, from this one to npm. npm may run a script by a shell, which outlives it. */
function untilNpm() {
  const { pid, ppid } = process
  const isShell = /^(sh|ash|bash|dash|ksh|zsh|busybox)$/.test(nameAndParent(ppid).name)
  return [[pid, ppid], ...(isShell ? [[ppid, parentOf(ppid)]] : [])]
}

function parentOf(pid) {
  return pid === process.pid ? process.ppid : nameAndParent(pid).parent
}

/** Of a process that has ended: empty, and 0. */
function nameAndParent(pid) {
  try {
    // Linux need not have `ps`. The name stands in parentheses, behind it the state and the parent.
    if (process.platform === 'linux') {
      const [, name, parent] = /\((.*)\) \S+ (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))
      return { name, parent: Number(parent) }
    }
    const [parent, path] = execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)
    return { name: basename(path), parent: Number(parent) }
  } catch {
    return { name: '', parent: 0 }
  }
}
