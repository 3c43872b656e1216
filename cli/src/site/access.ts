/** `tessera access`: the access rules of an app for several of its tables. */
import { type Command, Option } from 'commander'
import type { AppRule } from '../../../src/data/model/access.ts'
import { type AccessPreset, accessPresets, presetRule } from '../../../src/data/model/access-presets.ts'
import { action, examples } from '../command.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { Problem } from '../problem.ts'

/** Adds the commands to the program. */
export function addAccessCommands(program: Command): void {
  const access = program.command('access').description('the access rules of an app for several of its tables')
  examples(
    access
      .command('list <app>')
      .description('list the rules of the app, and what the rules of all tables allow')
      .action(action(list)),
    'tessera access list shop',
  )
  examples(
    access
      .command('grant <app> <preset> <who>')
      .description(
        `add a rule: ${Object.keys(accessPresets).join(' or ')} of all tables, ` +
          'for role:<name>, group:<name>, user, signed-in or anyone',
      )
      .addOption(new Option('--table <name...>', 'only these tables; default all, also future ones'))
      .action(action(grant)),
    'tessera access grant shop editor role:clerk',
    'tessera access grant shop reader user --table products prices',
  )
  examples(
    access.command('revoke <app> <rule>').description('remove a rule by its name').action(action(revoke)),
    'tessera access revoke shop "editor role clerk"',
  )
}

interface Access {
  rules: readonly AppRule[]
  permits: readonly { datatable: string; who: string; can: string; records: string }[]
}

const pathOf = (app: string): string => `/api/apps/${encodeURIComponent(app)}/access/`

async function list({ output, ...context }: Context, _: object, app: string): Promise<void> {
  const { rules, permits } = await context.client().request<Access>({ path: pathOf(app) })
  output.result({ rules, permits }, () => {
    for (const rule of rules) output.line(sentenceOf(rule))
    for (const { datatable, who, can, records } of permits)
      output.line(`  ${datatable}: ${who} may ${can} ${records} records`, 'dim')
  })
}

const sentenceOf = ({ name, who, can, tables }: AppRule): string =>
  `${name}: ${who} may ${can.join(', ')} in ${tables === '*' ? 'all tables' : tables.join(', ')}`

async function grant(
  context: Context,
  { table }: { table?: string[] },
  app: string,
  preset: string,
  who: string,
): Promise<void> {
  if (!isPreset(preset))
    throw new Problem(
      `There is no preset ${preset}. Presets: ${Object.keys(accessPresets).join(', ')}.`,
      exitCodes.usage,
    )
  await change(context, app, (rules) => [...rules, presetRule(preset, who, table ?? '*', rules)])
}

const isPreset = (name: string): name is AccessPreset => Object.hasOwn(accessPresets, name)

async function revoke(context: Context, _: object, app: string, name: string): Promise<void> {
  await change(context, app, (rules) => {
    if (!rules.some((rule) => rule.name === name))
      throw new Problem(
        `The app has no rule ${JSON.stringify(name)}. Rules: ${rules.map((rule) => rule.name).join(', ')}.`,
        exitCodes.notFound,
      )
    return rules.filter((rule) => rule.name !== name)
  })
}

/** Replaces the rules that the service has now. Throws its 412 if somebody else does so meanwhile. */
async function change(
  { output, ...context }: Context,
  app: string,
  next: (rules: readonly AppRule[]) => readonly AppRule[],
): Promise<void> {
  const client = context.client()
  const answer = await client.send({ path: pathOf(app) })
  const { rules } = (await answer.json()) as Access
  const { rules: saved } = await client.request<Access>({
    method: 'PUT',
    path: pathOf(app),
    headers: { 'if-match': answer.headers.get('etag') ?? '' },
    body: { rules: next(rules) },
  })
  output.result({ rules: saved }, () => {
    for (const rule of saved) output.line(sentenceOf(rule))
    if (saved.length === 0) output.line('The app has no rules of its own.')
  })
}
