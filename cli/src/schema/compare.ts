/** Compares the files with the service, and both with the state of the last pull. */
import { hashOf, type Kind, keyOf, type Part, type PartName, type Parts, partsByKey } from './parts.ts'

/** The action of a push on a part. */
export interface Difference extends PartName {
  action: 'create' | 'change' | 'delete'
}

/** The differences between files and service. */
export interface Comparison {
  differences: readonly Difference[]
  /** The parts that somebody else has changed in the service since the last pull. */
  moved: readonly Difference[]
}

/**
 * Compares the parts. `base`: the hashes of the parts at the last pull or push. A push deletes a part that
 * only the service has. It does not delete a secret type or a role that was added after the pull, because they
 * belong to the site.
 */
export function compare(
  files: Parts,
  service: Parts | undefined,
  base: Readonly<Record<string, string>>,
): Comparison {
  const wanted = partsByKey(files)
  const found = partsByKey(service)
  const differences: Difference[] = []
  const moved: Difference[] = []
  for (const part of new Map([...found, ...wanted]).values()) {
    const key = keyOf(part)
    const now = hashIn(found, key)
    const next = hashIn(wanted, key)
    if (now === next) continue
    if (isOfTheSite(part.kind) && next === undefined && base[key] === undefined) continue
    const { kind, name } = part
    if (now !== base[key] && !isNothing(found.get(key), base[key]))
      moved.push({ kind, name, action: actionOf(base[key], now) })
    differences.push({ kind, name, action: actionOf(now, next) })
  }
  return { differences, moved }
}

const isOfTheSite = (kind: Kind): boolean => kind === 'secret type' || kind === 'role'

/**
 * Returns whether a part is new and empty: no subscriptions are the same as an app that does not exist yet.
 */
const isNothing = (found: Part | undefined, base: string | undefined): boolean =>
  base === undefined && (found === undefined || isEmpty(found.content))
const isEmpty = (content: unknown): boolean => Object.keys(Object(content)).length === 0

const hashIn = (parts: ReadonlyMap<string, Part>, key: string): string | undefined => {
  const part = parts.get(key)
  return part && hashOf(part.content)
}

function actionOf(before: string | undefined, after: string | undefined): Difference['action'] {
  if (before === undefined) return 'create'
  return after === undefined ? 'delete' : 'change'
}

/** Returns whether the files have been edited since the last pull or push. */
export function isEdited(files: Parts, base: Readonly<Record<string, string>>): boolean {
  const own = partsByKey(files)
  const keys = new Set([...own.keys(), ...Object.keys(base)])
  return [...keys].some((key) => hashIn(own, key) !== base[key])
}
