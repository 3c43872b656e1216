/** Keeps the signing secrets of new functions, which the service shows once. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the secrets into a file that git ignores. Returns its path; undefined if there are no secrets. */
export function keepSecrets(folder: string, secrets: Readonly<Record<string, string>>): string | undefined {
  if (Object.keys(secrets).length === 0) return undefined
  const file = join(folder, '.signing-secrets.json')
  writeFileSync(join(folder, '.gitignore'), '.signing-secrets.json\n')
  writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  return file
}
