/** `tessera events`: shows the events that run functions, as they happen. */
import type { Command } from 'commander'
import type { Invocation } from '../../../client/src/site/functions.ts'
import { action, examples } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { type EventFilter, eventOf, isAsked } from '../functions/events.ts'
import { followInvocations, newestInvocation } from '../functions/invocations.ts'
import { Problem } from '../problem.ts'
import type { Output } from '../terminal/output.ts'

/** Adds the commands to the program. */
export function addEventCommands(program: Command): void {
  const events = program.command('events').description('the events of a site')
  examples(
    events
      .command('listen')
      .description('print each event for which a function runs, until Ctrl-C')
      .option('--app <app>', 'only events of this app')
      .option('--table <name>', 'only events of this table')
      .option('--type <event>', 'only events with this name, such as RECORD_CREATE')
      .action(action(listen)),
    'tessera events listen',
    'tessera events listen --app shop --table orders --type RECORD_UPDATE --json',
  )
}

async function listen(
  { output, ...context }: Context,
  { app, ...filter }: EventFilter & { app?: string },
): Promise<void> {
  const client = context.client()
  const names = await client.events.list()
  if (filter.type !== undefined && !names.includes(filter.type))
    throw new Problem(`There is no event ${filter.type}. Events: ${names.join(', ')}.`, exitCodes.usage)
  const start = await newestInvocation(client)
  const isWanted = (invocation: Invocation) => {
    const event = eventOf(invocation)
    return event !== undefined && isAsked(event, app, filter)
  }
  output.note('Waiting for events. Press Ctrl-C to stop.')
  await followInvocations(
    client,
    { trigger: 'event', isWanted, isReady: () => true, known: [], start },
    (invocation) => output.item(invocation, () => showEvent(output, invocation)),
  )
}

/**
 * Prints an event. An event of a record has the key of the record; an event of an account has the account
 * itself.
 */
function showEvent(output: Output, invocation: Invocation): void {
  const { type, app_slug, datatable, record_id, ...rest } = eventOf(invocation) ?? { type: '' }
  const about = datatable === undefined ? '' : ` ${app_slug}.${datatable} ${record_id}`
  output.line(`${invocation.created_at} ${type}${about} runs ${invocation.function_slug}`, 'dim')
  output.line(`  ${JSON.stringify(datatable === undefined ? rest : (rest.data ?? null))}`)
}
