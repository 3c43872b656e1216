/**
 * The settings of a transaction: migrations/settings.md lists each with every place that sets or reads it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { areaOf } from '../support/area-of.ts'

const root = join(import.meta.dirname, '..', '..')

interface Use {
  setting: string
  sets: boolean
  /** The qualified name of a function in migrations/, or an area of src/. */
  place: string
}

function filesBelow(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
}

/** Returns the function that an SQL file creates. For other files, returns the area. */
function placeOf(file: string, text: string): string {
  const [, made] = /^create or replace function (\w+\.\w+)\(/m.exec(text) ?? []
  return made ?? areaOf(file)
}

const uses: Use[] = [...filesBelow('migrations', /\.sql$/), ...filesBelow('src', /\.tsx?$/)].flatMap(
  (file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return [...text.matchAll(/\b(set_config|current_setting)\('(tessera\.\w+)'/g)].map(
      ([, called, setting = '']) => ({ setting, sets: called === 'set_config', place: placeOf(file, text) }),
    )
  },
)

/** Files that set or read a setting in any other way. */
const otherUses = [...filesBelow('migrations', /\.sql$/), ...filesBelow('src', /\.tsx?$/)].filter((file) =>
  /\b(set|show|reset)( local| session)? tessera\./i.test(readFileSync(join(root, file), 'utf8')),
)

const placesOf = (setting: string, sets: boolean): string[] =>
  [
    ...new Set(uses.filter((use) => use.setting === setting && use.sets === sets).map(({ place }) => place)),
  ].sort()

const found = [...new Set(uses.map(({ setting }) => setting))]
  .sort()
  .map((setting) => ({ setting, setBy: placesOf(setting, true), readBy: placesOf(setting, false) }))

const namesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
const listed = readFileSync(join(root, 'migrations', 'settings.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `tessera.'))
  .map((line) => {
    const [, setting = '', setBy = '', readBy = '', why = ''] = line.split('|')
    return { setting: namesIn(setting)[0], setBy: namesIn(setBy), readBy: namesIn(readBy), why: why.trim() }
  })

describe('the settings of a transaction', () => {
  it('are listed in migrations/settings.md with every place that sets or reads them', () => {
    expect(listed.map(({ why, ...row }) => row)).toEqual(found)
  })

  it('each have a reason', () => expect(listed.filter(({ why }) => why === '')).toEqual([]))

  it('are set and read by set_config and current_setting only', () => expect(otherUses).toEqual([]))
})
