/**
 * Which files a bundle may contain, because whoever may read the function sees them all:
 * docs/guide/cli.md#what-a-bundle-may-contain.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import { isBelow } from '../../../dev/own-files.ts'
import { Problem } from '../problem.ts'
import { configurationFolder } from '../sign-in/credentials.ts'

/** `own`: a file of the app's folder, or of a folder that the project names. */
type Side = 'own' | 'package'

/** The answer for a file: its side, or why it is not bundled. */
type Admission = { side: Side; problem?: undefined } | { side?: undefined; problem: string }

/** Says of each file whether it may be in a bundle. */
export type Admit = (path: string) => Admission

const extensions = ['.ts', '.tsx', '.js', '.jsx', '.mjs', '.cjs', '.json']
const lockFiles = ['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock']
const packages = 'node_modules'
const packageFile = 'package.json'

/** Returns the rule for the functions of an app. `folder`: the folder of the app. */
export function admissionFor(folder: string): Admit {
  const app = realpathSync.native(folder)
  const withoutRoot = `It is not in ${folder}, and packages need a lock file in that folder or above.`
  const root = foldersFrom(app).find((each) => lockFiles.some((name) => existsSync(join(each, name))))
  const owned = [app, ...(root === undefined || root === app ? [] : namedFolders(root))]
  // The folders whose node_modules count: from each owned folder up to the root, and linked packages.
  const searched = new Set(
    root === undefined ? [] : owned.flatMap(foldersFrom).filter((each) => isBelow(root, each)),
  )

  return (path) => {
    const file = realPath(path)
    if (file === undefined) return { problem: 'There is no such file.' }
    if (isState(file)) return { problem: 'It belongs to the command line.' }
    const own = owned.find((each) => isBelow(each, file) && !wayTo(each, file).includes(packages))
    const home = own ?? packageOf(file)
    if (home === undefined)
      return {
        problem: root === undefined ? withoutRoot : `It is neither in ${folder} nor in a package of ${root}.`,
      }
    if (wayTo(home, file).some((name) => name.startsWith('.')))
      return { problem: 'Its path has a name with a leading dot.' }
    if (!extensions.includes(extname(file)))
      return { problem: `Only files with these extensions are bundled: ${extensions.join(' ')}.` }
    return { side: own === undefined ? 'package' : 'own' }
  }

  /** Returns the folder of the package that has a file; undefined if it is in none that counts. */
  function packageOf(file: string): string | undefined {
    if (root === undefined || !isBelow(root, file)) return undefined
    const names = wayTo(root, file)
    const first = names.indexOf(packages)
    if (first === -1) return linkedPackage(file, root)
    if (!searched.has(join(root, ...names.slice(0, first)))) return undefined
    const last = names.lastIndexOf(packages) + 1
    const home = join(root, ...names.slice(0, last + (names[last]?.startsWith('@') ? 2 : 1)))
    return basename(home).startsWith('.') || !isPackage(home) ? undefined : home
  }

  /** A package of a workspace is a folder of the project to which a link in `node_modules` leads. */
  function linkedPackage(file: string, root: string): string | undefined {
    const home = foldersFrom(dirname(file)).find((each) => {
      if (!isBelow(root, each) || isBelow(each, app) || !isPackage(each)) return false
      const { name } = readPackage(each)
      return typeof name === 'string' && [...searched].some((from) => realPathOf(from, name) === each)
    })
    if (home !== undefined) searched.add(home)
    return home
  }
}

const wayTo = (folder: string, file: string): string[] => relative(folder, file).split(sep)

/** Returns a folder and all above it. */
function foldersFrom(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...foldersFrom(above)]
}

function realPath(path: string): string | undefined {
  try {
    const file = realpathSync.native(path)
    return statSync(file).isFile() ? file : undefined
  } catch {
    return undefined
  }
}

function realPathOf(from: string, name: string): string | undefined {
  try {
    return realpathSync.native(join(from, packages, name))
  } catch {
    return undefined
  }
}

const isPackage = (folder: string): boolean => existsSync(join(folder, packageFile))

function readPackage(folder: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(readFileSync(join(folder, packageFile), 'utf8')))
  } catch (error) {
    throw new Problem(`${join(folder, packageFile)} cannot be read: ${error}`)
  }
}

/** Returns the further folders that the project names for bundles. A pull writes nothing there. */
function namedFolders(root: string): string[] {
  if (!isPackage(root)) return []
  const { tessera } = readPackage(root)
  const { bundle = [] } = Object(tessera) as { bundle?: unknown }
  const isList = Array.isArray(bundle) && bundle.every((each) => typeof each === 'string')
  if (!isList)
    throw new Problem(`"tessera": {"bundle": …} in ${join(root, packageFile)} must be a list of folders.`)
  return bundle.map((each) => {
    const folder = resolve(root, each)
    if (!existsSync(folder))
      throw new Problem(`${join(root, packageFile)} names ${each}, which is not there.`)
    return realpathSync.native(folder)
  })
}

/** Names that the command line gives to its own files, beside those with a leading dot. */
const ownNames = /(?:\.signing-secrets\.json|\.zip\.import)$/i

/** Returns whether a file has credentials or the state of the command line. */
function isState(file: string): boolean {
  const settings = configurationFolder()
  const isSetting = existsSync(settings) && isBelow(realpathSync.native(settings), file)
  return isSetting || file.split(sep).some((name) => ownNames.test(name))
}
