/** The code of `tessera schema pull`, `diff` and `push`. */
import { join } from 'node:path'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { failureOf } from '../failure.ts'
import { Problem } from '../problem.ts'
import { ask, canAsk, confirm } from '../terminal/ask.ts'
import { applyChanges } from './apply.ts'
import { compare, type Difference, isEdited } from './compare.ts'
import { hasFiles, readFiles, readState, writeFiles, writeState } from './files.ts'
import { hashesOf, keyOf } from './parts.ts'
import { type PlannedChange, planChanges } from './plan.ts'
import { readService } from './read-service.ts'
import { loses, sentenceOf, showPlan } from './show.ts'
import { keepSecrets } from './signing-secrets.ts'

interface FolderOptions {
  dir?: string
}

const folderOf = ({ dir }: FolderOptions, app: string): string => dir ?? join('tessera', app)

const noApp = (app: string) => new Problem(`The site has no app ${app}.`, exitCodes.notFound)

/** Writes the app in the service into files. */
export async function pull(
  context: Context,
  options: FolderOptions & { force?: boolean },
  app: string,
): Promise<void> {
  const { output, target } = context
  const folder = folderOf(options, app)
  const service = await readService(context.client(), target, app)
  if (service === undefined) throw noApp(app)
  const { parts } = service
  if (!options.force && hasFiles(folder) && isEdited(await readFiles(folder), readState(folder)))
    throw new Problem(
      `The files in ${folder} were edited and not pushed. Push them, or write over them with --force.`,
      exitCodes.conflict,
    )
  await writeFiles(folder, parts)
  writeState(folder, hashesOf(parts))
  const counts = {
    tables: parts.tables.size,
    functions: parts.functions.size,
    secret_types: parts.secretTypes.size,
  }
  output.result({ folder, ...counts }, () =>
    output.line(
      `Wrote ${folder}: ${counted(counts.tables, 'table')}, ${counted(counts.functions, 'function')}, ` +
        `${counted(counts.secret_types, 'secret type')}.`,
    ),
  )
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Shows what a push would change. */
export async function diff(
  context: Context,
  options: FolderOptions & { check?: boolean },
  app: string,
): Promise<void> {
  const { output } = context
  const { plan, moved } = await planOf(context, options, app)
  output.result({ changes: plan, moved: moved.map(sentenceOf), loses_data: loses(plan) }, () => {
    showPlan(output, plan)
    if (plan.length === 0) output.line('The files and the service are the same.')
    for (const part of moved) output.line(`Since the pull, ${sentenceOf(part)} at the service.`, 'yellow')
  })
  if (options.check && plan.length > 0) process.exitCode = exitCodes.different
}

async function planOf(context: Context, options: FolderOptions, app: string) {
  const client = context.client()
  const folder = folderOf(options, app)
  const files = await readFiles(folder)
  const service = await readService(client, context.target, app)
  const comparison = compare(files, service?.parts, readState(folder))
  const plan = await planChanges({ client, app, files, service, comparison })
  return {
    client,
    folder,
    files,
    service,
    plan,
    moved: comparison.moved,
    differences: comparison.differences,
  }
}

interface PushOptions extends FolderOptions {
  yes?: boolean
  allowDataLoss?: boolean
  force?: boolean
}

/** Changes the app in the service to match the files. */
export async function push(context: Context, options: PushOptions, app: string): Promise<void> {
  const { output } = context
  const planned = await planOf(context, options, app)
  const { plan, moved, folder, files } = planned
  if (plan.length === 0) {
    writeState(folder, hashesOf(files))
    return output.result({ applied: [] }, () => output.line('The files and the service are the same.'))
  }
  if (!output.isJson) showPlan(output, plan)
  requirePossible(plan)
  if (moved.length > 0 && !options.force) throw hasMoved(moved)
  await requireConsent(plan, options, app)
  await requireSame(context, planned, app)
  const { applied, secretsFile } = await applyPlan(context, planned, app)
  const after = await readService(planned.client, context.target, app)
  if (after === undefined) throw noApp(app)
  await writeFiles(folder, after.parts)
  writeState(folder, hashesOf(after.parts))
  output.result({ applied: applied.map(keyOf), signing_secrets: secretsFile ?? null }, () => {
    output.line(`Pushed ${counted(applied.length, 'change')} to the app ${app}.`, 'green')
    if (secretsFile)
      output.line(`The signing secrets of new functions are in ${secretsFile}. They are not shown again.`)
  })
}

function hasMoved(moved: readonly Difference[]): Problem {
  const sentences = moved.map(sentenceOf)
  return new Problem(
    `${sentences.map((sentence) => `Since the pull, ${sentence} at the service.`).join('\n')}\n` +
      'Nothing was pushed. Pull into another folder and merge the changes, or overwrite them with --force.',
    exitCodes.conflict,
    { moved: sentences },
  )
}

/** Does not start a plan if the service would reject a part of it. */
function requirePossible(plan: readonly PlannedChange[]): void {
  const refused = plan.filter(({ problem }) => problem !== undefined)
  if (refused.length === 0) return
  const lines = refused.map((change) => `${keyOf(change)}: ${change.problem}`)
  throw new Problem(`${lines.join('\n')}\nNothing was pushed.`, exitCodes.failed, { refused: lines })
}

async function requireConsent(
  plan: readonly PlannedChange[],
  options: PushOptions,
  app: string,
): Promise<void> {
  if (loses(plan) && !options.allowDataLoss) {
    if (options.yes || !canAsk())
      throw new Problem('The push can lose data. Add --allow-data-loss to allow this. Nothing was pushed.')
    const typed = await ask(`This can lose data. Type ${app} to go on:`)
    if (typed.trim() !== app) throw new Problem('Nothing was pushed.')
    return
  }
  if (!options.yes) await confirm(`Push ${counted(plan.length, 'change')}?`, '--yes')
}

type Planned = Awaited<ReturnType<typeof planOf>>

/** Throws if the service has changed while the user read the plan. */
async function requireSame({ target }: Context, { client, service }: Planned, app: string): Promise<void> {
  const now = hashesOf((await readService(client, target, app))?.parts)
  const before = hashesOf(service?.parts)
  const keys = new Set([...Object.keys(now), ...Object.keys(before)])
  const changed = [...keys].filter((key) => now[key] !== before[key])
  if (changed.length > 0)
    throw new Problem(
      `Meanwhile somebody changed ${changed.join(', ')}. Nothing was pushed.`,
      exitCodes.conflict,
      { moved: changed },
    )
}

/**
 * Applies the plan. After an error, the state of the folder records the applied parts, and the error lists
 * them.
 */
async function applyPlan(context: Context, planned: Planned, app: string) {
  const { client, folder, files, service, differences, plan } = planned
  const applied: Difference[] = []
  const secrets: Record<string, string> = {}
  try {
    await applyChanges({
      client,
      app,
      files,
      service,
      differences,
      allowsLoss: loses(plan),
      onApplied: (parts) => void applied.push(...parts),
      onSigningSecret: (slug, secret) => Object.assign(secrets, { [slug]: secret }),
    })
    return { applied, secretsFile: keepSecrets(folder, secrets) }
  } catch (error) {
    keepSecrets(folder, secrets)
    const failure = failureOf(error)
    const now = hashesOf((await readService(client, context.target, app).catch(() => undefined))?.parts)
    const known = applied.map((part) => [keyOf(part), now[keyOf(part)]])
    writeState(folder, { ...readState(folder), ...Object.fromEntries(known.filter(([, hash]) => hash)) })
    const names = applied.map(keyOf)
    const done = names.length > 0 ? `Applied before that: ${names.join(', ')}.` : 'Nothing was applied.'
    throw new Problem(`${failure.message}\n${done}`, failure.exitCode, { ...failure.json, applied: names })
  }
}
