/**
 * The code of `tessera data load` and `data export`. It is loaded when they are called, because the readers
 * of files are large.
 */
import { exportTo, formatOf } from '../../../dev/exporter/export-to.ts'
import { type LoadOptions as Chosen, loadPath } from '../../../dev/loader/load-path.ts'
import { silenceProgress } from '../../../dev/loader/progress.ts'
import type { Context } from '../context.ts'
import { dataClient } from '../data-client.ts'
import { requireNode } from '../require-node.ts'
import { requireSite } from '../require-site.ts'
import type { Output } from '../terminal/output.ts'

/**
 * Prepares the loader for this command. Before Node 22, JSON.parse loses digits of numbers without an error.
 */
function prepare({ isJson }: Output): void {
  // npm scripts run in the folder of the project, but this command runs in the current folder of the user.
  delete process.env.INIT_CWD
  if (isJson) silenceProgress()
  requireNode([22, 0], 'Records, whose numbers keep all their digits,')
}

interface LoadOptions extends Omit<Chosen, 'mode' | 'bad-rows' | 'dry-run'> {
  append?: boolean
  replace?: boolean
  badRows?: string
  dryRun?: boolean
}

/** Loads the rows of a file, or a data package. */
export async function load(context: Context, options: LoadOptions, path: string): Promise<void> {
  const { output, target } = context
  prepare(output)
  const { append, replace, badRows, dryRun, ...others } = options
  const otherwise = replace ? 'replace' : 'create'
  const chosen = {
    ...others,
    mode: append ? 'append' : otherwise,
    ...(badRows === undefined ? {} : { 'bad-rows': badRows }),
    ...(dryRun === undefined ? {} : { 'dry-run': dryRun }),
  } as const
  const lines = await loadPath(path, chosen, async () => {
    const client = context.client()
    // The loader takes a missing app for a new one.
    await requireSite(client)
    return dataClient(client, target)
  })
  output.result({ messages: lines }, () => {
    for (const line of lines) output.line(line)
  })
}

/** Writes an app as a data package. */
export async function save(
  context: Context,
  { format, replace }: { format: string; replace?: boolean },
  app: string,
  path: string | undefined,
): Promise<void> {
  const { output, target } = context
  prepare(output)
  const { client, api } = dataClient(context.client(), target)
  const { line, ...exported } = await exportTo(client, api, { app, path, format: formatOf(format), replace })
  output.result(exported, () => output.line(line))
}
