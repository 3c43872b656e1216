/** The apps of a project, which are folders in tessera/, and how they reach a service. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { Problem } from '../problem.ts'
import { hasFiles } from '../schema/files.ts'
import { push } from '../schema/run.ts'
import { keepTypes } from '../types/command.ts'

const folder = 'tessera'
/** The types of all apps. */
export const typesFile = join(folder, 'types.ts')

/** Files of the folder that commands write. */
const isWritten = (path: string): boolean => /(^|[\\/])\.|^types\.ts$/.test(path)

/** Returns the slugs of the apps. Throws a Problem if there are none. */
export function appsHere(): string[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => hasFiles(join(folder, name))) : []
  if (names.length === 0)
    throw new Problem(
      'This folder has no app: there is no tessera/<app>/app.json. Make a project: tessera init <folder>',
      exitCodes.notFound,
    )
  return names.sort()
}

/** Returns a text that changes with the files of the apps. */
export const stateOfFiles = (): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !isWritten(path))
    .map((path) => {
      const { mtimeMs, size } = statSync(join(folder, path), { throwIfNoEntry: false }) ?? {}
      return `${path} ${mtimeMs} ${size}`
    })
    .join('\n')

/**
 * Pushes all apps, and writes their types. Asks before it loses data. Throws a Problem for the first refusal.
 */
export async function pushAll(context: Context): Promise<void> {
  const apps = appsHere()
  for (const app of apps) await push(context, { asks: 'loss' }, app)
  await keepTypes(context.client(), apps, typesFile)
}

/** Loads the files in tessera/<app>/seed. */
export async function seedAll(context: Context): Promise<void> {
  const { load } = await import('../data/run.ts')
  for (const app of appsHere()) {
    const place = join(folder, app, 'seed')
    for (const file of existsSync(place) ? readdirSync(place).sort() : [])
      await load(context, { app, append: true, yes: true }, join(place, file))
  }
}
