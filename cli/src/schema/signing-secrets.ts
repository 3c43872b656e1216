/** Keeps the signing secrets of new functions, which the service shows once. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readOwn, writeOwn } from '../../../dev/own-files.ts'

const ignoreFile = '.gitignore'
const secretsFile = '.signing-secrets.json'

/**
 * Adds the secrets to a file that git ignores, which keeps those of earlier functions. Returns its path;
 * undefined if there are no secrets.
 */
export function keepSecrets(folder: string, secrets: Readonly<Record<string, string>>): string | undefined {
  if (Object.keys(secrets).length === 0) return undefined
  const ignored = textIn(folder, ignoreFile) ?? ''
  if (!ignored.split('\n').includes(secretsFile))
    writeOwn(folder, ignoreFile, `${ignored.replace(/(?<=[^\n])$/, '\n')}${secretsFile}\n`)
  const all = { ...JSON.parse(textIn(folder, secretsFile) ?? '{}'), ...secrets }
  writeOwn(folder, secretsFile, `${JSON.stringify(all, null, 2)}\n`, 0o600)
  return join(folder, secretsFile)
}

const textIn = (folder: string, name: string): string | undefined =>
  existsSync(join(folder, name)) ? readOwn(folder, name) : undefined
