/** The variables of wrangler.toml, without those of a developer's .dev.vars, which wrangler would add. */
import { workerSettings } from '../../dev/worker-settings.ts'
import { variableNames } from '../../src/kernel/env.ts'

/**
 * Returns a text for every variable of the Worker. Those that wrangler.toml does not set are empty, like
 * unset ones.
 */
export async function wranglerVariables(): Promise<Record<string, string>> {
  const { bindings } = await workerSettings()
  return {
    ...Object.fromEntries(variableNames.map((name) => [name, ''])),
    ...(bindings as Record<string, string>),
  }
}
