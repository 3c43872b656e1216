/** The tested versions of Postgres, from the oldest one that the service supports to that of the project. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ownPrograms, type Programs, programsPackage } from '../../dev/postgres-programs.ts'

/** The versions for which this folder has packages. */
export const otherVersions = [15, 16, 17] as const
export const ownVersion = 18

export async function programsOf(version: number): Promise<Programs> {
  if (version === ownVersion) return ownPrograms()
  const installed = createRequire(
    join(import.meta.dirname, 'node_modules', `postgres-${version}`, 'package.json'),
  )
  return import(pathToFileURL(installed.resolve(programsPackage)).href)
}
