/** The code of `tessera schema pull`, `diff` and `push`. */
import { join } from 'node:path'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { failureOf } from '../failure.ts'
import { Problem } from '../problem.ts'
import { nameOf, type Target } from '../target.ts'
import { ask, canAsk, confirm } from '../terminal/ask.ts'
import { applyChanges } from './apply.ts'
import { compare, type Difference, isEdited } from './compare.ts'
import type { PlannedChange } from './dry-run.ts'
import { hasFiles, readFiles, writeFiles } from './files.ts'
import { hashesOf, keyOf, type Parts } from './parts.ts'
import { planChanges } from './plan.ts'
import { readService } from './read-service.ts'
import { pendingRenames, renamesIn, withoutRenames, withRenames } from './renames.ts'
import { loses, sentenceOf, showPlan } from './show.ts'
import { keepSecrets } from './signing-secrets.ts'
import { codesOf, readState, readStates, type State, stateOf, writeState } from './state.ts'

interface FolderOptions {
  dir?: string
}

/** Returns the folder of an app's files. */
export const folderOf = ({ dir }: FolderOptions, app: string): string => dir ?? join('tessera', app)

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
  const files = await filesBefore(folder, options)
  const { renames } = readState(folder, target)
  const written = files ? withRenames(parts, files, renames) : parts
  await writeFiles(folder, written)
  writeState(folder, target, stateOf(parts, renamesIn(written)))
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

/**
 * Reads the files that a pull replaces; undefined if there are none. Unless `force` is set, throws a Problem
 * if they are not as some site had them at its last pull or push.
 */
async function filesBefore(folder: string, { force }: { force?: boolean }): Promise<Parts | undefined> {
  if (!hasFiles(folder)) return undefined
  // Files with errors can be replaced, too.
  if (force) return readFiles(folder).catch(() => undefined)
  const files = await readFiles(folder)
  const states = [...readStates(folder).values()]
  if (states.every((state) => isEdited(withoutRenames(files, state), state.parts)))
    throw new Problem(
      `The files in ${folder} were edited and not pushed. Push them, or write over them with --force.`,
      exitCodes.conflict,
    )
  return files
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Shows what a push would change. The exit code is 1 if the service would refuse a part. */
export async function diff(
  context: Context,
  options: FolderOptions & { check?: boolean },
  app: string,
): Promise<void> {
  const { output, target } = context
  const { plan, moved, state } = await planOf(context, options, app)
  output.result({ changes: plan, moved: moved.map(sentenceOf), loses_data: loses(plan) }, () => {
    showPlan(output, plan)
    if (plan.length === 0) output.line('The files and the service are the same.')
    for (const line of movedLines(target, state, moved)) output.line(line, 'yellow')
  })
  if (options.check && plan.length > 0) process.exitCode = exitCodes.different
  if (refusalsIn(plan).length > 0) process.exitCode = exitCodes.failed
}

/** Plans a push, and changes nothing. `edited`: the files, if they are read already. */
export async function planOf(context: Context, options: FolderOptions, app: string, edited?: Parts) {
  const client = context.client()
  const folder = folderOf(options, app)
  edited ??= await readFiles(folder)
  const service = await readService(client, context.target, app)
  const states = readStates(folder)
  const state = readState(folder, context.target)
  const known = [...states.values()].flatMap(({ renames }) => renames)
  const files = pendingRenames({ files: edited, service: service?.parts, state, known })
  const comparison = compare(files, service?.parts, state.parts)
  const site = service ? service.site : context.target.site
  const plan = await planChanges({ client, app, files, service, site, comparison })
  return {
    client,
    folder,
    state,
    /** The files as they are, and with the renames of this push alone. */
    edited,
    files,
    service,
    site,
    plan,
    moved: comparison.moved,
    differences: comparison.differences,
  }
}

export interface PushOptions extends FolderOptions {
  yes?: boolean
  /** `loss`: asks only before values are lost. */
  asks?: 'loss'
  allowDataLoss?: boolean
  force?: boolean
}

/** Changes the app in the service to match the files. */
export async function push(context: Context, options: PushOptions, app: string): Promise<void> {
  const { output } = context
  const planned = await planOf(context, options, app)
  if (planned.plan.length === 0) {
    keepState(context, planned)
    return output.result({ applied: [] }, () => output.line('The files and the service are the same.'))
  }
  if (!output.isJson) showPlan(output, planned.plan)
  requirePushable(context, planned, options)
  await requireConsent(planned.plan, options, app)
  const { applied, secretsFile, parts } = await carryOut(context, planned, app)
  await writeFiles(planned.folder, withRenames(parts, planned.edited, renamesIn(planned.edited)))
  output.result({ applied: applied.map(keyOf), signing_secrets: secretsFile ?? null }, () => {
    output.line(`Pushed ${counted(applied.length, 'change')} to the app ${app}.`, 'green')
    if (secretsFile)
      output.line(`The signing secrets of new functions are in ${secretsFile}. They are not shown again.`)
  })
}

/** Throws a Problem if the service would reject a part of the plan, or if others changed the app. */
export function requirePushable({ target }: Context, planned: Planned, options: PushOptions): void {
  requirePossible(planned.plan)
  if (planned.moved.length > 0 && !options.force) throw hasMoved(target, planned.state, planned.moved)
}

/**
 * Applies a plan whose service has not changed meanwhile, and keeps the state of the site. Returns the parts
 * that the site has then. `secretOf`: the name under which the secret of a new function is kept.
 */
export async function carryOut(
  context: Context,
  planned: Planned,
  app: string,
  secretOf: (slug: string) => string = (slug) => slug,
) {
  await requireSame(context, planned, app)
  const done = await applyPlan(context, planned, app, secretOf)
  const after = await readService(planned.client, context.target, app)
  if (after === undefined) throw noApp(app)
  const parts = withTypesOf(planned.files, after.parts)
  writeState(planned.folder, context.target, stateOf(parts, renamesIn(planned.edited)))
  return { ...done, parts }
}

/** Keeps that a site has what the files say. */
export const keepState = ({ target }: Context, { folder, files, edited }: Planned): void =>
  writeState(folder, target, stateOf(files, renamesIn(edited)))

/**
 * Returns parts with the secret types and roles of the files only. Others belong to other apps of this site,
 * and the next push may be to another site.
 */
const withTypesOf = (files: Parts, parts: Parts): Parts => ({
  ...parts,
  secretTypes: new Map([...parts.secretTypes].filter(([slug]) => files.secretTypes.has(slug))),
  roles: new Map([...parts.roles].filter(([name]) => files.roles.has(name))),
})

/** Returns what others changed since the last pull or push, as lines. */
function movedLines(target: Target, { parts }: State, moved: readonly Difference[]): string[] {
  if (keyOf({ kind: 'app', name: '' }) in parts)
    return moved.map((part) => `Since the pull, ${sentenceOf(part)} at the service.`)
  const names = moved.map(keyOf).join(', ')
  return moved.length === 0
    ? []
    : [`These files were never pulled from ${nameOf(target)} or pushed to it, and it has another ${names}.`]
}

function hasMoved(target: Target, state: State, moved: readonly Difference[]): Problem {
  return new Problem(
    `${movedLines(target, state, moved).join('\n')}\n` +
      'Nothing was pushed. Pull into another folder and merge the changes, or overwrite them with --force.',
    exitCodes.conflict,
    { moved: moved.map(sentenceOf) },
  )
}

/** Returns the problems of a plan, each with the name of its part. */
const refusalsIn = (plan: readonly PlannedChange[]): string[] =>
  plan.flatMap((change) => change.problem?.split('\n').map((problem) => `${keyOf(change)}: ${problem}`) ?? [])

/** Does not start a plan if the service would reject a part of it. */
function requirePossible(plan: readonly PlannedChange[]): void {
  const lines = refusalsIn(plan)
  if (lines.length === 0) return
  throw new Problem(`${lines.join('\n')}\nNothing was pushed.`, exitCodes.failed, { refused: lines })
}

/** Asks the user, unless the options answer already. Throws a Problem without a consent. */
export async function requireConsent(
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
  if (!options.yes && options.asks === undefined)
    await confirm(`Push ${counted(plan.length, 'change')}?`, '--yes')
}

export type Planned = Awaited<ReturnType<typeof planOf>>

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
async function applyPlan(
  context: Context,
  planned: Planned,
  app: string,
  secretOf: (slug: string) => string,
) {
  const { client, folder, files, edited, state, service, site, differences, plan } = planned
  const applied: Difference[] = []
  const secrets: Record<string, string> = {}
  try {
    await applyChanges({
      client,
      app,
      files,
      service,
      site,
      differences,
      allowsLoss: loses(plan),
      onApplied: (parts) => void applied.push(...parts),
      onProgress: (text) => context.output.note(text),
      onSigningSecret: (slug, secret) => Object.assign(secrets, { [secretOf(slug)]: secret }),
    })
    return { applied, secretsFile: keepSecrets(folder, secrets) }
  } catch (error) {
    keepSecrets(folder, secrets)
    const failure = failureOf(error)
    const reached = (await readService(client, context.target, app).catch(() => undefined))?.parts
    const now = hashesOf(reached)
    const known = applied.map((part) => [keyOf(part), now[keyOf(part)]])
    const done = new Set(applied.flatMap(({ kind, name }) => (kind === 'table' ? [name] : [])))
    const tables = new Map([...edited.tables].filter(([name]) => done.has(name)))
    writeState(folder, context.target, {
      parts: { ...state.parts, ...Object.fromEntries(known.filter(([, hash]) => hash)) },
      codes: [...new Set([...state.codes, ...codesOf(reached)])],
      renames: [...state.renames, ...renamesIn({ tables })],
    })
    const names = applied.map(keyOf)
    const end = names.length > 0 ? `Applied before that: ${names.join(', ')}.` : 'Nothing was applied.'
    throw new Problem(`${failure.message}\n${end}`, failure.exitCode, { ...failure.json, applied: names })
  }
}
