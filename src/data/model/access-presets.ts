/** Presets of access rules for several tables of an app: what a reader and an editor may do. X2. */
import type { Action } from './access.ts'

/** What each preset allows, for every record and every field. None gives a permission in the site. */
export const accessPresets = {
  reader: ['read'],
  editor: ['read', 'create', 'update', 'delete'],
} as const satisfies Record<string, readonly Action[]>
export type AccessPreset = keyof typeof accessPresets

/** A rule of a preset. */
interface PresetRule {
  name: string
  who: string
  can: Action[]
  tables: '*' | string[]
}

/** Returns the rule of a preset, with a name that none of the rules `present` has. */
export function presetRule(
  preset: AccessPreset,
  who: string,
  tables: PresetRule['tables'],
  present: readonly { name: string }[],
): PresetRule {
  const taken = new Set(present.map(({ name }) => name))
  const wanted = `${preset} ${who.replace(/[^\p{L}\p{N} _-]/gu, ' ')}`.slice(0, 90)
  let name = wanted
  for (let number = 2; taken.has(name); number++) name = `${wanted} ${number}`
  return { name, who, can: [...accessPresets[preset]], tables }
}
