/** Deploys one function from its files, like a push of only this part. */
import { join } from 'node:path'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { Problem } from '../problem.ts'
import { applyChanges } from './apply.ts'
import { compare } from './compare.ts'
import { readFiles } from './files.ts'
import { hashesOf, keyOf } from './parts.ts'
import { readService } from './read-service.ts'
import { keepSecrets } from './signing-secrets.ts'
import { codesOf, readState, writeState } from './state.ts'

/** The function to deploy. */
interface Deploying {
  app: string
  slug: string
  dir?: string
  force?: boolean
}

/**
 * Deploys the function. Returns the result. Throws a Problem if somebody changed the function since the last
 * pull.
 */
export async function deployFunction(
  context: Context,
  { app, slug, dir, force }: Deploying,
): Promise<'create' | 'change' | 'none'> {
  const folder = dir ?? join('tessera', app)
  const files = await readFiles(folder)
  if (!files.functions.has(slug))
    throw new Problem(`There is no ${join(folder, 'functions', `${slug}.json`)}.`, exitCodes.notFound)
  const client = context.client()
  const service = await readService(client, context.target, app)
  if (service === undefined)
    throw new Problem(
      `The site has no app ${app}. Create it with: tessera schema push ${app}`,
      exitCodes.notFound,
    )
  const part = { kind: 'function', name: slug } as const
  const state = readState(folder, context.target)
  const { differences, moved } = compare(files, service.parts, state.parts)
  const isPart = ({ kind, name }: { kind: string; name: string }) => kind === part.kind && name === slug
  if (moved.some(isPart) && !force)
    throw new Problem(
      `Somebody changed the function ${slug} at the service since the last pull. Deploy over it with --force.`,
      exitCodes.conflict,
    )
  const [difference] = differences.filter(isPart)
  if (difference === undefined || difference.action === 'delete') return 'none'
  const secrets: Record<string, string> = {}
  await applyChanges({
    client,
    app,
    files,
    service,
    site: service.site,
    differences: [difference],
    allowsLoss: false,
    onApplied: () => undefined,
    onProgress: () => undefined,
    onSigningSecret: (name, secret) => Object.assign(secrets, { [name]: secret }),
  })
  const kept = keepSecrets(folder, secrets)
  if (kept) context.output.note(`The signing secret is in ${kept}. It is not shown again.`)
  const after = (await readService(client, context.target, app))?.parts
  const hash = hashesOf(after)[keyOf(part)]
  if (hash !== undefined)
    writeState(folder, context.target, {
      ...state,
      parts: { ...state.parts, [keyOf(part)]: hash },
      codes: [...new Set([...state.codes, ...codesOf(after)])],
    })
  return difference.action
}
