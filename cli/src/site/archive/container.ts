/**
 * The file of an archive: a zip file with the parts of a site. `site.json` lists every other file with its
 * digest. docs/operate/tenants.md describes it.
 */
import { mkdirSync, openAsBlob, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Sink } from '../../../../dev/exporter/sinks.ts'
import { zipFiles } from '../../../../dev/loader/zip-files.ts'
import { fileName, placeBelow } from '../../../../dev/own-files.ts'
import { LinesDigest } from '../../../../src/operation/transfers/archive/lines-digest.ts'
import { type Manifest, manifestFile } from '../../../../src/operation/transfers/archive/manifest.ts'
import { Problem } from '../../problem.ts'

/** Returns a sink that writes into another one, and records the digests of the files. */
export function digesting(sink: Sink): Sink & { files: Record<string, string> } {
  const files: Record<string, string> = {}
  return {
    ...sink,
    files,
    write(path, text) {
      const digest = new LinesDigest()
      const passed = async function* () {
        for await (const part of text) {
          digest.add(part)
          yield part
        }
        files[path] = digest.end()
      }
      return sink.write(path, passed())
    },
  }
}

/**
 * Returns a sink for a folder in another one. Its `finish` does nothing, because the other sink must be
 * finished.
 */
export const below = (sink: Sink, folder: string): Sink => ({
  write: (path, text) => sink.write(`${folder}/${path}`, text),
  finish: async () => undefined,
  discard: async () => undefined,
})

/** Writes the files of a folder and its subfolders into a sink. */
export async function writeFolder(sink: Sink, folder: string): Promise<void> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  for (const path of paths.toSorted())
    await sink.write(path.replaceAll('\\', '/'), once(readFileSync(join(folder, path), 'utf8')))
}

/** Returns a text in the form that sinks accept. */
export async function* once(text: string): AsyncGenerator<string> {
  yield text
}

/**
 * Unpacks an archive into a folder, and compares every file with its digest. `isResumed`: an earlier import
 * has begun to unpack it. Throws a Problem if it is not an archive, or if it was changed.
 */
export async function unpack(archive: string, folder: string, isResumed: boolean): Promise<Manifest> {
  const label = basename(archive)
  const files = await zipFiles(await openAsBlob(archive), label)
  if (!files.has(manifestFile))
    throw new Problem(`${label} has no ${manifestFile}: it is not an archive of a site.`)
  const manifest = readManifest(await textOf(files.open(manifestFile)), label)
  // The state of an earlier import in the folder is kept.
  if (!isResumed) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const path of files.paths().filter((one) => one !== manifestFile)) {
    if (!Object.hasOwn(manifest.files, path))
      throw new Problem(`${label} has a file that ${manifestFile} does not name: ${JSON.stringify(path)}.`)
    const file = placeBelow(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    const digest = new LinesDigest()
    const decoder = new TextDecoder()
    writeFileSync(file, '')
    for await (const bytes of files.open(path)) {
      digest.add(decoder.decode(bytes, { stream: true }))
      writeFileSync(file, bytes, { flag: 'a' })
    }
    if (digest.end() !== manifest.files[path])
      throw new Problem(`${path} in ${label} is not as it was written.`)
  }
  const missing = Object.keys(manifest.files).find((path) => !files.has(path))
  if (missing !== undefined) throw new Problem(`${label} lacks ${missing}.`)
  return manifest
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of bytes) text += decoder.decode(part, { stream: true })
  return text
}

/** Returns the manifest. Its names become those of folders. */
function readManifest(text: string, label: string): Manifest {
  const { format, version, site, apps, files } = Object(JSON.parse(text)) as Manifest
  if (format !== 'tessera-site' || version !== 1)
    throw new Problem(`${label} is an archive of another version: this command line reads version 1.`)
  return { format, version, site: Object(site), apps: [apps].flat().map(fileName), files: Object(files) }
}
