/**
 * The settings of a function in its file: only settings of its mode, and only values that differ from the
 * default.
 */
import type { Members } from './source.ts'

const always = {
  name: '',
  description: '',
  execution_mode: 'app',
  timeout_seconds: 300,
  is_active: true,
  filter_conditions: '',
  schedule: '',
  schedule_zone: 'UTC',
  ordering: 'none',
}

/** The settings that only functions of one mode have. */
const ofMode: Readonly<Record<string, Members>> = {
  app: { allowed_hosts: [], as: 'service', secrets: [], variables: {} },
  proxy: { webhook_url: '', headers: {} },
  system: { system_function: '' },
}

/** Returns the complete settings of a function, without members that only the service sets. */
export function functionSettings(members: Members): Members {
  const mode = String(members.execution_mode ?? always.execution_mode)
  const known = { ...always, ...ofMode[mode] }
  return Object.fromEntries(
    Object.entries(known).map(([name, otherwise]) => [name, members[name] ?? otherwise]),
  )
}

/** Returns the members of a file that are not settings. */
export function unknownSettings(members: Members): string[] {
  const known = functionSettings(members)
  return Object.keys(members).filter((name) => !Object.hasOwn(known, name))
}
