/**
 * `tessera functions dev`: runs a function on this machine, and runs it again whenever one of its files
 * changes.
 */
import { join, relative, resolve } from 'node:path'
import { type Client, TesseraError } from '../../../../client/src/index.ts'
import type { AttemptResult, InvocationContext } from '../../../../src/runtime/functions/runners/runner.ts'
import { type Context, credentialsFor } from '../../context.ts'
import { exitCodes } from '../../exit-codes.ts'
import { failureOf } from '../../failure.ts'
import { Problem } from '../../problem.ts'
import { readFunction } from '../../schema/files.ts'
import { buildSource } from '../bundle.ts'
import { openGate } from './gate.ts'
import { type LocalFunction, localRunner, type RunLocally } from './local-run.ts'
import { type ParameterOptions, type Parameters, parametersFor } from './parameters.ts'
import { type WatchedFiles, watchFiles } from './watch-files.ts'

export interface DevOptions extends ParameterOptions {
  dir?: string
  once?: boolean
}

/** The common data of all runs of the command. */
interface Session {
  context: Context
  options: DevOptions
  app: string
  slug: string
  folder: string
  client: Client
  runLocally: RunLocally
  parameters: () => Parameters
  /** The function's id in the service; 0 if it has none. */
  id: number
  user: InvocationContext['user']
}

/** Runs the function, and repeats this until Ctrl-C unless it should run once. */
export async function develop(
  context: Context,
  options: DevOptions,
  app: string,
  slug: string,
): Promise<void> {
  const folder = options.dir ?? join('tessera', app)
  readFunction(folder, slug)
  const client = context.client()
  const auth = credentialsFor(context.target)
  const parameters = await parametersFor(context, client, app, options)
  // API keys cannot read accounts.
  const user = 'apiKey' in auth ? null : await client.accounts.me()
  const id = await idOf(client, app, slug)
  const gate = await openGate(context.target, app, auth)
  try {
    const runLocally = await localRunner(gate)
    const session = {
      ...{ context, options, app, slug, folder, client, runLocally, parameters, id },
      user: user && { id: user.id, username: user.username, email: user.email },
    }
    await (options.once ? runOnce(session) : goOn(session))
  } finally {
    gate.stop()
  }
}

async function idOf(client: Client, app: string, slug: string): Promise<number> {
  try {
    return (await client.app(app).$functions.get(slug)).id
  } catch (error) {
    // A function that is not deployed yet has no id. The app must exist, because its records are real.
    const isNew = error instanceof TesseraError && error.status === 404
    if (!isNew) throw error
    await client.request({ path: `/api/apps/${encodeURIComponent(app)}/` })
    return 0
  }
}

async function runOnce(session: Session): Promise<void> {
  const { output } = session.context
  const run = await attempt(session, {
    count: 1,
    watched: watchFiles(),
    signal: new AbortController().signal,
  })
  output.result(run, () => showRun(session, run))
  if (run.status === 'FAILURE') process.exitCode = exitCodes.failed
}

/** Runs until a file changes, which also stops an unfinished run, and then runs again. */
async function goOn(session: Session): Promise<never> {
  const { output } = session.context
  for (let count = 1; ; count++) {
    const watched = watchFiles()
    const ending = new AbortController()
    const running = attempt(session, { count, watched, signal: ending.signal })
      .then((run) => {
        if (!ending.signal.aborted) output.item(run, () => showRun(session, run))
      })
      .catch((error: unknown) => showProblem(session, error, watched))
    const changed = await watched.change()
    ending.abort()
    await running
    output.note(`${relative('.', changed)} has changed.`)
  }
}

/** The printed form of a finished run. */
interface FinishedRun extends Pick<AttemptResult, 'status' | 'result' | 'error' | 'logs'> {
  run: number
  trigger: string
  duration_ms: number
}

interface Asked {
  count: number
  watched: WatchedFiles
  signal: AbortSignal
}

async function attempt(session: Session, { count, watched, signal }: Asked): Promise<FinishedRun> {
  const { app, slug, folder, user, id, options } = session
  const { output } = session.context
  const { settings, files, source } = readFunction(folder, slug)
  watched.add([...files, ...(options.event === undefined ? [] : [options.event])])
  const built = await buildSource(source)
  watched.add(built.files)
  const { text, trigger } = session.parameters()
  const fn = { code: built.code, ...(await withSecrets(session, settings)) }
  const began = performance.now()
  const { status, result, error, logs } = await session.runLocally(fn, {
    params: text,
    context: {
      ...{ invocation_id: count, attempt: 1, ...trigger },
      ...{ function: { id, name: String(settings.name), slug }, app, user },
    },
    onLine: ({ level, message }) => output.line(`  ${level}: ${message}`),
    signal,
  })
  const duration_ms = Math.round(performance.now() - began)
  const by = trigger.event ?? trigger.trigger_type
  return { run: count, trigger: by, status, result, error, logs, duration_ms }
}

/** Returns the settings of a run, with the values of the secrets that they declare. */
async function withSecrets(
  { client, app }: Session,
  settings: Readonly<Record<string, unknown>>,
): Promise<Omit<LocalFunction, 'code'>> {
  if (settings.execution_mode !== 'app')
    throw new Problem(
      `Only functions in "app" mode have code. This one is in "${settings.execution_mode}" mode.`,
    )
  const unless = (statuses: readonly number[]) => (error: unknown) => {
    if (error instanceof TesseraError && statuses.includes(error.status)) return undefined
    throw error
  }
  const keys = settings.secrets as string[]
  const secrets = keys.map(async (key) => {
    const found = await client.secrets.get(key, { app }).catch(unless([404]))
    return { key, value: found?.value ?? null, isPublic: !found || found.sensitivity_level === 'public' }
  })
  // Whoever may not read secrets runs functions as at a site without a mail server.
  const mail = client.secrets.get('MAIL', { app }).catch(unless([403, 404]))
  const [values, server] = await Promise.all([Promise.all(secrets), mail])
  return { settings: settings as never, secrets: values, ownMail: server !== undefined }
}

function showRun({ context: { output }, slug }: Session, run: FinishedRun): void {
  const isFailure = run.status === 'FAILURE'
  output.line(
    `#${run.run} ${slug} ${run.trigger} ${run.status} ${run.duration_ms} ms`,
    isFailure ? 'red' : 'dim',
  )
  if (isFailure) output.line(`  ${run.error}`, 'red')
  else output.text(JSON.stringify(run.result, null, 2))
}

/** Shows why the function cannot run. The files that the problem names are watched, too. */
function showProblem(
  { context: { output }, folder, slug, options }: Session,
  error: unknown,
  watched: WatchedFiles,
) {
  const { message, json } = failureOf(error)
  output.item({ error: json }, () => output.line(message, 'red'))
  const base = join(folder, 'functions', slug)
  const named = error instanceof Problem ? (error.details as { files?: string[] }).files : undefined
  const own = ['json', 'js', 'ts'].map((extension) => `${base}.${extension}`)
  watched.add([...own, ...(named ?? []), ...(options.event === undefined ? [] : [resolve(options.event)])])
}
