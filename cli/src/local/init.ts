/** `tessera init`: writes a new project into an empty folder. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { Problem } from '../problem.ts'

/** The templates stand beside the program in the package, and in cli/templates in the sources. */
const templates = [
  join(import.meta.dirname, 'templates'),
  join(import.meta.dirname, '..', '..', 'templates'),
].find(existsSync) as string

/** npm leaves this file out of packages under its own name. */
const names: Readonly<Record<string, string>> = { gitignore: '.gitignore' }

/** What npm takes as the name of a package. */
const namePattern = /^[a-z0-9][a-z0-9._-]{0,213}$/

interface InitOptions {
  /** Its files are added to those of `plain`, or written instead of them. */
  template: string
}

/** Writes the files of a template. Throws a Problem, and writes nothing, if the folder has files. */
export async function init({ output }: Context, { template }: InitOptions, place: string): Promise<void> {
  const folder = resolve(place)
  const name = basename(folder)
  if (!namePattern.test(name))
    throw new Problem(
      `${name} cannot be the name of a package: lower-case letters, digits, hyphens and dots can.`,
      exitCodes.usage,
    )
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Problem(`${folder} is not empty. Nothing was written.`, exitCodes.conflict)
  const files = new Map([...filesOf('plain'), ...filesOf(template)])
  for (const [path, text] of files) {
    const target = join(folder, dirname(path), names[basename(path)] ?? basename(path))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text.replaceAll('__name__', name).replaceAll('__version__', packageJson.version))
  }
  output.result({ folder, files: files.size }, () => {
    output.line(`Made ${folder}. Next:`)
    output.line(`  cd ${place} && npm install && npm run dev`)
  })
}

/** Returns the texts of a template's files, by their paths. */
const filesOf = (template: string): [path: string, text: string][] =>
  readdirSync(join(templates, template), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [file.slice(join(templates, template).length + 1), readFileSync(file, 'utf8')])
