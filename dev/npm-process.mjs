/** Detects that the npm that runs this process has ended. Runs on every Node from 20 on. */
import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** How often it checks. */
const lookMs = 500

/** Calls `act` once when npm, or the shell in which npm may run a script, has ended before this process. */
export async function onEndOfNpm(act) {
  const isAlive = process.platform === 'win32' ? await windowsCheck() : unixCheck()
  const watch = setInterval(() => {
    if (isAlive()) return
    clearInterval(watch)
    act()
  }, lookMs)
  watch.unref()
}

/**
 * Returns a check whether the parents are the same as now: a process whose parent has ended gets another one.
 * npm may run a script in a shell, which outlives npm.
 */
function unixCheck() {
  const { pid, ppid } = process
  const isShell = /^(sh|ash|bash|dash|ksh|zsh|busybox)$/.test(nameAndParent(ppid).name)
  const pairs = [[pid, ppid], ...(isShell ? [[ppid, parentOf(ppid)]] : [])]
  return () => pairs.every(([child, parent]) => parentOf(child) === parent)
}

function parentOf(pid) {
  return pid === process.pid ? process.ppid : nameAndParent(pid).parent
}

/** Returns the name and the parent of a process; an empty name and 0 if it has ended. */
function nameAndParent(pid) {
  try {
    // Linux need not have `ps`. The name is in parentheses, followed by the state and the parent.
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

/**
 * On Windows, a process keeps the number of its parent, and npm runs every script through cmd.exe: both are
 * checked.
 */
async function windowsCheck() {
  const { ppid } = process
  const query = `(Get-CimInstance Win32_Process -Filter 'ProcessId=${ppid}').ParentProcessId`
  const parent = await new Promise((done) =>
    execFile('powershell.exe', ['-NoProfile', '-Command', query], { windowsHide: true }, (error, text) =>
      done(error ? 0 : Number(text)),
    ),
  )
  const pids = [ppid, parent].filter((pid) => pid > 0)
  return () => pids.every(isThere)
}

function isThere(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
