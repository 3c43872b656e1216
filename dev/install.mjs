/**
 * Installs the dependencies of a folder that are missing, and shows how far it is. Runs on every Node from 20
 * on, before anything is installed.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** How often the progress is checked, and how often it is printed if the output is not a terminal. */
const lookMs = 500
const reportMs = 10_000

/**
 * Installs what package-lock.json has and node_modules lacks. `what` names it for the reader. Returns whether
 * everything is installed.
 */
export async function installMissing(folder, what) {
  if (isComplete(folder)) return true
  const paths = packagesForThisMachine(folder)
  const began = performance.now()
  const seconds = () => Math.round((performance.now() - began) / 1000)
  console.error(`Installing ${what}: ${paths.length} packages, once. Later installations use npm's cache.`)
  const progress = showProgress(folder, paths, seconds)
  // npm caches packages by checksum. For a cached package, it does not ask the registry.
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  const status = await runNpm(['ci', ...options], folder)
  progress.end()
  console.error(status === 0 ? `Installed in ${seconds()} s.` : `npm ci failed in ${folder}.`)
  return status === 0
}

/**
 * Returns whether npm has installed every package of package-lock.json. npm writes its own list when it is
 * done.
 */
export function isComplete(folder) {
  const list = join(folder, 'node_modules', '.package-lock.json')
  if (!existsSync(list)) return false
  const there = packagesOf(list)
  return Object.entries(packagesOf(join(folder, 'package-lock.json'))).every(([path, wanted]) => {
    if (path === '') return true
    const { version } = there[path] ?? {}
    return (
      version === wanted.version || (version === undefined && Boolean(wanted.optional || wanted.devOptional))
    )
  })
}

const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages

/** Optional packages without a system are dependencies of packages for other systems. */
function packagesForThisMachine(folder) {
  const fits = (wanted, mine) => wanted === undefined || wanted.includes(mine)
  const libc = process.report?.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
  return Object.entries(packagesOf(join(folder, 'package-lock.json')))
    .filter(([path, { os, cpu }]) => path !== '' && fits(os, process.platform) && fits(cpu, process.arch))
    .filter(([, { optional, os }]) => !optional || os)
    .filter(([, wanted]) => process.platform !== 'linux' || fits(wanted.libc, libc))
    .map(([path]) => path)
}

/** Counts the packages that are unpacked: npm makes their folders first, and fills them one by one. */
function showProgress(folder, paths, seconds) {
  const terminal = process.stderr.isTTY
  const isThere = (path) => existsSync(join(folder, path, 'package.json'))
  let reported = performance.now()
  const timer = setInterval(() => {
    const missing = paths.filter((path) => !isThere(path))
    const due = performance.now() - reported >= reportMs
    if (!terminal && !due) return
    reported = performance.now()
    const line = progressLine(paths.length, missing, seconds())
    process.stderr.write(terminal ? `\r\u001b[K${line}` : `${line}\n`)
  }, lookMs)
  return {
    end() {
      clearInterval(timer)
      if (terminal) process.stderr.write('\r\u001b[K')
    },
  }
}

/** Returns the progress: how many packages are installed, and what npm is waiting for at the end. */
export function progressLine(all, missing, seconds) {
  return `  ${all - missing.length} of ${all} packages, ${seconds} s${waitedFor(missing)}`
}

function waitedFor(missing) {
  if (missing.length === 0) return '; their install scripts run'
  if (missing.length > 3) return ''
  return `; still to come: ${missing.map((path) => path.split('node_modules/').at(-1)).join(', ')}`
}

/** npm is a program for Node: as such it needs no shell on any system. */
export function runNpm(args, cwd) {
  const folder = dirname(process.execPath)
  const cli = [
    process.env.npm_execpath ?? '',
    join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(folder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ].find((path) => path.endsWith('npm-cli.js') && existsSync(path))
  const [program, ...before] = cli ? [process.execPath, cli] : ['npm']
  const npm = spawn(program, [...before, ...args], { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  return new Promise((done) => {
    npm.once('error', (error) => {
      console.error(error.message)
      done(1)
    })
    npm.once('exit', (code) => done(code ?? 1))
  })
}
