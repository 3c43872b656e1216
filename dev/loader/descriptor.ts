/** Finds and parses the descriptor of a data package, and the schemas and dialects that it refers to. */
import { posix } from 'node:path'
import { parseDocument } from 'yaml'
import { readJson, readJsonVerbatim } from '../../src/kernel/lib/exact-json.ts'
import { placeInJson } from '../../src/kernel/lib/json-place.ts'
import { parseStrictly } from '../../src/kernel/lib/parse-json.ts'
import { type Fault, FaultsError } from './faults.ts'
import { type Files, readWhole } from './files.ts'
import { packagePath } from './package-path.ts'
import { messageOf, Refusal } from './refusal.ts'
import { decode } from './text.ts'

/** A parsed object whose members are not checked yet. */
export type Members = Readonly<Record<string, unknown>>

/** Tells whether a value is an object with members. */
export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The names of descriptors, the usual one first. */
const names = ['datapackage.json', 'datapackage.yaml', 'datapackage.yml', 'package.json', 'package.yaml']

/** Tells whether a file is JSON or YAML by its name. */
export const isDocument = (path: string): boolean => /\.(?:json|ya?ml)$/i.test(path)

/** Returns the path of the descriptor: the one closest to the top. Undefined if there is none. */
export function findDescriptor(files: Files): string | undefined {
  const depth = (path: string) => path.split('/').length
  const found = files
    .paths()
    .filter((path) => names.includes(posix.basename(path).toLowerCase()))
    .toSorted(
      (one, other) =>
        depth(one) - depth(other) ||
        names.indexOf(posix.basename(one)) - names.indexOf(posix.basename(other)),
    )
  const [first, second] = found
  if (first && second && depth(first) === depth(second) && posix.dirname(first) !== posix.dirname(second))
    throw new Refusal(
      `There is a package in ${posix.dirname(first)} and one in ${posix.dirname(second)}. Load one at a ` +
        `time.`,
    )
  return first
}

/** Reads a JSON or YAML file. Throws FaultsError with the line and the column of the error. */
export async function readDocument(files: Files, path: string): Promise<unknown> {
  const bytes = await readWhole(files.open(path), path)
  let text = ''
  for await (const part of decode(once(bytes), undefined, path)) text += part
  return parseDescriptor(text, path)
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function parseDescriptor(text: string, file: string): unknown {
  if (/\.ya?ml$/i.test(file)) return parseYaml(text, file)
  try {
    return parseStrictly(text, readJsonVerbatim)
  } catch (error) {
    throw new FaultsError([{ file, ...faultInJson(text, messageOf(error)) }])
  }
}

/** Returns the text of a JSON.parse error, with the line and the column of its position. */
export function faultInJson(text: string, message: string): Omit<Fault, 'file'> {
  const { reason, ...place } = placeInJson(text, message)
  return { ...place, text: `This is not JSON: ${reason}.` }
}

function parseYaml(text: string, file: string): unknown {
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: true })
  if (document.errors.length > 0)
    throw new FaultsError(
      document.errors.map(({ message, linePos }) => ({
        file,
        line: linePos?.[0].line,
        column: linePos?.[0].col,
        text: `This is not YAML: ${message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '')}.`,
      })),
    )
  try {
    // Refuses aliases that would expand to a huge document.
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw new Refusal(`${file} cannot be read: ${messageOf(error)}.`)
  }
}

/**
 * Returns a value with numbers as the service reads them: each is an exact number, or its text. Rows keep the
 * text of every number, for example 1.50.
 */
export const settled = (value: unknown): unknown =>
  value === undefined ? value : readJson(JSON.stringify(value))

/**
 * Returns the members of a schema or a dialect, which may be the path of a file in the package. `what` is
 * what messages call it. Throws a Refusal for a path that cannot be read.
 */
export async function resolveReference(
  files: Files,
  value: unknown,
  what: string,
): Promise<Members | undefined> {
  if (value === undefined || value === null) return undefined
  if (isMembers(value)) return settled(value) as Members
  if (typeof value !== 'string')
    throw new Refusal(`${what} has to be an object, or the path of a JSON or YAML file.`)
  try {
    const path = packagePath(value)
    const read = await readDocument(files, path)
    if (isMembers(read)) return settled(read) as Members
    throw new Refusal(`${path} holds no object.`)
  } catch (error) {
    if (error instanceof FaultsError || !(error instanceof Refusal)) throw error
    throw new Refusal(`${what}: ${error.message}`)
  }
}
