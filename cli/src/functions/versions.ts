/** `tessera functions versions` and `rollback`. */
import { type Command, InvalidArgumentError } from 'commander'
import type { Client } from '../../../client/src/index.ts'
import { action, examples } from '../command.ts'
import type { Context } from '../context.ts'

/** Adds these commands to the group of function commands. */
export function addVersionCommands(functions: Command): void {
  examples(
    functions
      .command('versions <app> <slug>')
      .description('list the versions of a function, the newest first')
      .option('--limit <count>', 'how many, up to 50', numberOf, 20)
      .action(action(list)),
    'tessera functions versions shop total',
  )
  examples(
    functions
      .command('rollback <app> <slug>')
      .description('restore the code and the settings of an earlier version, as a new version')
      .option('--to <number>', 'the version to restore; default the one before the newest', numberOf)
      .action(action(rollBack)),
    'tessera functions rollback shop total',
    'tessera functions rollback shop total --to 3',
  )
}

function numberOf(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1 || number > 1e9)
    throw new InvalidArgumentError('It is a whole number above 0.')
  return number
}

interface Version {
  number: number
  hash: string
  created_at: string
  changed_by: { id: number; username: string | null } | null
}

const pathOf = (app: string, slug: string): string =>
  `/api/apps/${encodeURIComponent(app)}/functions/${encodeURIComponent(slug)}/versions/`

const versionsOf = async (client: Client, app: string, slug: string, count: number): Promise<Version[]> =>
  (
    await client.request<{ results: Version[] }>({
      path: pathOf(app, slug),
      query: { page_size: Math.min(count, 100) },
    })
  ).results

async function list(
  { output, ...context }: Context,
  { limit }: { limit: number },
  app: string,
  slug: string,
): Promise<void> {
  const versions = await versionsOf(context.client(), app, slug, limit)
  output.result({ versions }, () =>
    output.table(
      ['version', 'made', 'by', 'hash'],
      versions.map(({ number, created_at, changed_by, hash }) => [
        number,
        created_at,
        changed_by?.username,
        hash.slice(0, 12),
      ]),
    ),
  )
}

async function rollBack(
  { output, ...context }: Context,
  { to }: { to?: number },
  app: string,
  slug: string,
): Promise<void> {
  const client = context.client()
  const [newest] = await versionsOf(client, app, slug, 1)
  const number = to ?? Math.max(1, (newest?.number ?? 1) - 1)
  await client.request({ method: 'POST', path: `${pathOf(app, slug)}${number}/restore/` })
  output.result({ app, function: slug, restored: number }, () =>
    output.line(`The function ${slug} is as in version ${number}. Its files are not: pull them.`),
  )
}
