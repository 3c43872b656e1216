/**
 * `npm run build:console`: the console as static files of the Worker, in src/assets/console. What is built is kept as
 * long as its sources and the packages are the same.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')
const target = join(root, 'src', 'assets', 'console')
const cache = join(root, 'node_modules', '.cache', 'tessera')
const digestFile = join(cache, 'console.txt')

/** What the files are made of: folders with all that is in them, and files. */
const sources = ['console', 'client/src', 'package-lock.json', 'dev/build-console.ts']

function filesOf(path: string): string[] {
  if (/\.\w+$/.test(path)) return [path]
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}

function digestOfSources(): string {
  const hash = createHash('sha256')
  for (const path of sources.flatMap(filesOf)) {
    const content = readFileSync(join(root, path))
    hash.update(`${path.replaceAll(sep, '/')} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

function isBuilt(digest: string): boolean {
  if (!existsSync(join(target, 'index.html')) || !existsSync(digestFile)) return false
  return readFileSync(digestFile, 'utf8') === digest
}

/**
 * Builds the console if its sources have changed. Returns whether it did. Throws with the place of an error. The work
 * is done in a process of its own: Vite asks the environment whether it builds for production.
 */
export async function buildConsole(): Promise<boolean> {
  if (isBuilt(digestOfSources())) return false
  const child = spawn(process.execPath, [import.meta.filename], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let printed = ''
  child.stderr.on('data', (chunk) => (printed += chunk))
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(printed)
  return true
}

async function buildHere(digest: string): Promise<void> {
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  const unfinished = join(cache, `console-${process.pid}`)
  await build({
    root: join(root, 'console'),
    configFile: false,
    base: '/console/',
    publicDir: false,
    logLevel: 'error',
    // The Worker puts the nonce of each answer in its place.
    html: { cspNonce: 'nonce-of-this-answer' },
    build: {
      outDir: unfinished,
      emptyOutDir: true,
      // No slug of a site begins with an underscore.
      assetsDir: '_',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2023',
      chunkSizeWarningLimit: 2_000,
    },
  })
  replaceFolder(unfinished, digest)
}

/** Puts the new files in the place of the old ones. Of several processes that do, the last one stays. */
function replaceFolder(unfinished: string, digest: string): void {
  mkdirSync(cache, { recursive: true })
  rmSync(digestFile, { force: true })
  rmSync(target, { recursive: true, force: true })
  try {
    renameSync(unfinished, target)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(join(target, 'index.html'))) throw error
  }
  writeFileSync(digestFile, digest)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const began = performance.now()
  const digest = digestOfSources()
  if (isBuilt(digest)) console.log('The console is up to date.')
  else {
    await buildHere(digest)
    console.log(`Built the console in ${((performance.now() - began) / 1000).toFixed(1)} s.`)
  }
}
