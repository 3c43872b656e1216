/** Opens the source of a load: a descriptor, a folder, a zip file, or a single file with rows. */
import { existsSync, openAsBlob, realpathSync, statSync } from 'node:fs'
import { basename, dirname, posix } from 'node:path'
import { findDescriptor, isDocument, isMembers, readDocument } from './descriptor.ts'
import { type Files, filesBelow, folderFiles, namesIn, nearHint } from './files.ts'
import { isTableFile, readableFormats } from './formats.ts'
import { type Choice, type DataPackage, nameOfFile, readPackage } from './package.ts'
import { Refusal } from './refusal.ts'
import { sniffDelimiter } from './sniff.ts'
import { zipFiles } from './zip-files.ts'

/** A package and its files. */
export interface Opened {
  files: Files
  data: DataPackage
}

/** The options for a single file without a descriptor. */
export interface SingleChoice extends Choice {
  sheet: string | undefined
  table: string | undefined
}

/** Opens a path on this machine. Throws a Refusal with the problem and the supported sources. */
export async function openSource(path: string, choice: SingleChoice): Promise<Opened> {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path))
    throw new Refusal(`${path} is on another server, and nothing is fetched. Download it, and load the file.`)
  if (!existsSync(path))
    throw new Refusal(
      `There is no file or folder ${path}.${nearHint(basename(path), namesIn(dirname(path), true))}`,
    )
  if (statSync(path).isDirectory()) return openFolder(folderFiles(path), path, choice)
  if (/\.zip$/i.test(path))
    return openFolder(await zipFiles(await openAsBlob(path), basename(path)), path, choice)
  const files = folderFiles(dirname(realpathSync(path)))
  const name = basename(realpathSync(path))
  if (isDocument(name)) {
    const descriptor = await readDocument(files, name)
    if (isMembers(descriptor) && descriptor.resources !== undefined)
      return { files, data: await readPackage(files, descriptor, name, choice) }
    if (/\.ya?ml$/i.test(name)) throw new Refusal(`${name} has no resources, so it is not a data package.`)
  }
  return openTables(files, [name], name, choice)
}

async function openFolder(files: Files, path: string, choice: SingleChoice): Promise<Opened> {
  const found = findDescriptor(files)
  if (found === undefined) return openTables(files, files.paths().filter(isTableFile), path, choice)
  const below = filesBelow(files, posix.dirname(found))
  const descriptor = await readDocument(below, posix.basename(found))
  return { files: below, data: await readPackage(below, descriptor, basename(found), choice) }
}

/** Creates a package of files that have no descriptor. */
async function openTables(
  files: Files,
  paths: readonly string[],
  label: string,
  choice: SingleChoice,
): Promise<Opened> {
  if (paths.length === 0)
    throw new Refusal(
      `${label} has neither a datapackage.json nor files with rows. These can be read: ${readableFormats}.`,
    )
  if (paths.length > 1 && (choice.table ?? choice.sheet) !== undefined)
    throw new Refusal('--table and --sheet are for a single file.')
  const resources = await Promise.all(
    paths.map(async (path) => ({
      name: choice.table ?? nameOfFile(path),
      path,
      dialect: {
        ...(await sniffDelimiter(files, path, choice.encoding)),
        ...(choice.sheet === undefined ? {} : sheetOf(choice.sheet)),
      },
    })),
  )
  return { files, data: await readPackage(files, { resources }, label, choice) }
}

const sheetOf = (sheet: string) =>
  /^[1-9]\d*$/.test(sheet) ? { sheetNumber: Number(sheet) } : { sheetName: sheet }
