/**
 * The input of a function on this machine: parameters, an event from a file, or the latest event of the app.
 */
import { readFileSync } from 'node:fs'
import type { Client } from '../../../../client/src/index.ts'
import { parseStrictly } from '../../../../src/kernel/lib/parse-json.ts'
import type { Context } from '../../context.ts'
import { exitCodes } from '../../exit-codes.ts'
import { Problem } from '../../problem.ts'
import { type EventFilter, latestEvent } from '../events.ts'

/** The options that select the input. */
export interface ParameterOptions extends EventFilter {
  params?: string
  event?: string
  last?: boolean
}

/** The parameters of a run, as JSON, and the data of its trigger. */
export interface Parameters {
  text: string
  trigger: { trigger_type: string; event: string | null }
}

/** Returns a function that provides the parameters of the next run: it reads a file again for each run. */
export async function parametersFor(
  { output }: Context,
  client: Client,
  app: string,
  options: ParameterOptions,
): Promise<() => Parameters> {
  if ([options.params, options.event, options.last].filter((one) => one !== undefined).length > 1)
    throw new Problem('Use only one of --params, --event and --last.', exitCodes.usage)
  if ((options.type ?? options.table) !== undefined && !options.last)
    throw new Problem('--type and --table need --last.', exitCodes.usage)
  const { event } = options
  if (event !== undefined) return () => parametersOf(readFileSync(event, 'utf8'), event)
  if (!options.last) {
    const given = parametersOf(options.params ?? '{}', '--params')
    return () => given
  }
  const { id, params } = await latestEvent(client, app, options)
  output.note(`The event is that of the invocation ${id}.`)
  const last = parametersOf(JSON.stringify(params), 'the event')
  return () => last
}

function parametersOf(text: string, source: string): Parameters {
  try {
    const value: unknown = parseStrictly(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { text, trigger: triggerOf((value as { type?: unknown }).type) }
  } catch {
    // The value is checked below.
  }
  throw new Problem(`The parameters must be a JSON object: ${source}.`, exitCodes.usage)
}

/** Returns the trigger for the type of the parameters, which only events and schedules have. */
function triggerOf(type: unknown): Parameters['trigger'] {
  if (type === 'SCHEDULE') return { trigger_type: 'schedule', event: null }
  const isEvent = typeof type === 'string' && /^(RECORD|PRE_USER|POST_USER)_[A-Z]+$/.test(type)
  return isEvent ? { trigger_type: 'event', event: type } : { trigger_type: 'api', event: null }
}
