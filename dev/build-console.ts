/**
 * `npm run build:console`: builds the console as static files of the Worker, in src/operation/assets/console. The build
 * is kept while its sources and the packages are the same.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')
const target = join(root, 'src', 'operation', 'assets', 'console')
/** The place of an unfinished build: on the same disk as its final place. */
const unfinishedFolder = join(root, 'src', 'operation', 'assets')

/** The sources of the build: folders with their content, and files. */
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

/** Returns a comment for the end of the built document, which identifies the build. */
const markOf = (digest: string): string => `<!-- ${digest} -->\n`

function isBuilt(digest: string): boolean {
  const document = join(target, 'index.html')
  return existsSync(document) && readFileSync(document, 'utf8').endsWith(markOf(digest))
}

/**
 * Builds the console if its sources have changed. Returns whether it did. Throws with the place of an error.
 * The work is done in its own process: Vite asks the environment whether it builds for production.
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
  const unfinished = join(unfinishedFolder, `.console-${process.pid}`)
  await build({
    root: join(root, 'console'),
    configFile: false,
    base: '/console/',
    publicDir: false,
    logLevel: 'error',
    // The Worker replaces it by the nonce of each response.
    html: { cspNonce: 'nonce-of-this-answer' },
    build: {
      outDir: unfinished,
      emptyOutDir: true,
      // The slug of a site never begins with an underscore, so the paths cannot collide.
      assetsDir: '_',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      license: { fileName: 'licenses.md' },
      target: 'es2023',
      chunkSizeWarningLimit: 2_000,
    },
  })
  replaceFolder(unfinished, digest)
}

/** Replaces the old files by the new ones. If several processes do this, the files of the first one stay. */
function replaceFolder(unfinished: string, digest: string): void {
  appendFileSync(join(unfinished, 'index.html'), markOf(digest))
  rmSync(target, { recursive: true, force: true })
  try {
    renameSync(unfinished, target)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!isBuilt(digest)) throw error
  }
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
