/**
 * The code of `tessera sites export`, `import` and `copy`. It is loaded when they are called, because the
 * readers of files are large.
 */
import { existsSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { silenceProgress } from '../../../../dev/loader/progress.ts'
import { fileName, writeOwn } from '../../../../dev/own-files.ts'
import type { Transfer } from '../../../../src/operation/transfers/schema.ts'
import { type Context, clientFor } from '../../context.ts'
import { exitCodes } from '../../exit-codes.ts'
import { Problem } from '../../problem.ts'
import type { Target } from '../../target.ts'
import type { Output } from '../../terminal/output.ts'
import { copyByService, exportByService, importByService } from './by-service.ts'
import { unpack } from './container.ts'
import { exportSite } from './export-site.ts'
import { ensureSite, type ImportedSite, importSite } from './import-site.ts'
import { keyOf, readPrivateKey, readPublicKey } from './secret-box.ts'

function prepare({ isJson }: Output): void {
  // npm scripts run in the folder of the project, but this command runs in the current folder of the user.
  delete process.env.INIT_CWD
  if (isJson) silenceProgress()
  if (!('rawJSON' in JSON))
    throw new Problem(
      `Archives need Node 22 or newer; this is ${process.version}, which loses digits of numbers.`,
    )
}

function siteTarget(target: Target): Target & { site: string } {
  const { site } = target
  if (site === undefined) throw new Problem('Select the site with --site.', exitCodes.usage)
  return { ...target, site }
}

interface SaveOptions {
  rows: boolean
  secretsFor?: string
  replace?: boolean
  byService?: boolean
}

/** Writes a site into an archive. */
export async function save(context: Context, options: SaveOptions, archive: string): Promise<void> {
  const { output } = context
  prepare(output)
  const target = siteTarget(context.target)
  const { secretsFor, rows, replace = false } = options
  const pem = secretsFor === undefined ? undefined : readPublicKey(secretsFor)
  const path = resolve(archive)
  if (options.byService) {
    if (existsSync(path) && !replace)
      throw new Problem(`${archive} exists. Add --replace to write over it, or name another one.`)
    const working = { client: context.client(), output }
    const done = await exportByService(working, { site: target.site, path, rows, publicKey: pem })
    return showTransfer(output, done, archive)
  }
  const publicKey = pem === undefined ? undefined : await keyOf('public', pem)
  const counts = await exportSite({ client: context.client(), target, path, replace, rows, publicKey })
  output.result({ path: archive, ...counts }, () =>
    output.line(
      `Exported the site ${target.site} to ${archive}: ${counts.apps} apps, ${counts.records} records, ` +
        `${counts.edges} edges, ${counts.secrets} secrets.`,
    ),
  )
}

interface RestoreOptions {
  organization: string
  slug?: string
  name?: string
  secretsKey?: string
  resume?: boolean
  byService?: boolean
  activate?: boolean
}

export async function restore(context: Context, options: RestoreOptions, archive: string): Promise<void> {
  const { output } = context
  prepare(output)
  const { organization, secretsKey, resume = false, activate = false } = options
  const pem = secretsKey === undefined ? undefined : readPrivateKey(secretsKey)
  const path = resolve(archive)
  if (options.byService) {
    if (options.slug === undefined) throw new Problem('Name the new site with --slug.', exitCodes.usage)
    const { slug, name } = options
    const done = await importByService({ client: context.client(), output }, organization, path, {
      slug,
      ...(name === undefined ? {} : { name }),
      ...(pem === undefined ? {} : { private_key: pem }),
      activate,
    })
    return showTransfer(output, done)
  }
  const privateKey = pem === undefined ? undefined : await keyOf('private', pem)
  const folder = `${path}.import`
  if (existsSync(folder) && !resume)
    throw new Problem(`An earlier import of ${archive} was interrupted. Add --resume, or delete ${folder}.`)
  const manifest = await unpack(path, folder, resume)
  const slug = fileName(options.slug ?? manifest.site.slug)
  const name = options.name ?? String(manifest.site.name)
  await ensureSite(context.client(), { slug, name, organization, environment: 'preview' }, resume)
  const target = { url: context.target.url, site: slug }
  const imported = await importSite({
    client: clientFor(target),
    target,
    manifest,
    folder,
    privateKey,
    activate,
  })
  rmSync(folder, { recursive: true, force: true })
  show(output, slug, imported)
}

/** Prints the result of an import, and the remaining tasks. */
function show(output: Output, slug: string, { apps, secrets, headers, signingSecrets }: ImportedSite): void {
  const secretsFile = keepSigningSecrets(slug, signingSecrets)
  output.result({ site: slug, apps, secrets, headers, signing_secrets: secretsFile ?? null }, () => {
    output.line(`Created the site ${slug}: ${apps} apps, ${secrets} secrets.`, 'green')
    for (const [name, missing] of Object.entries(headers))
      output.line(`Set the headers of the function ${name} again: ${missing.join(', ')}.`, 'yellow')
    if (secretsFile)
      output.line(`The signing secrets of new functions are in ${secretsFile}. They are not shown again.`)
  })
}

/**
 * Writes signing secrets to a file that only the owner can read. Returns its path; undefined without secrets.
 */
function keepSigningSecrets(slug: string, secrets: Readonly<Record<string, string>>): string | undefined {
  if (Object.keys(secrets).length === 0) return undefined
  const name = `${fileName(slug)}.signing-secrets.json`
  writeOwn('.', name, `${JSON.stringify(secrets, null, 2)}\n`, 0o600)
  return resolve(name)
}

interface CopyOptions {
  name?: string
  rows?: boolean
  secrets?: boolean
  activate?: boolean
}

/** Lets the service make the copy. */
export async function copy(context: Context, options: CopyOptions, slug: string): Promise<void> {
  const { output } = context
  const { site } = siteTarget(context.target)
  const { name, rows = false, secrets = false, activate = false } = options
  const body = { slug, ...(name === undefined ? {} : { name }), rows, secrets, activate }
  showTransfer(output, await copyByService({ client: context.client(), output }, site, body))
}

/** Prints the result of a transfer. */
function showTransfer(output: Output, transfer: Transfer, archive?: string): void {
  const { site, progress, notes } = transfer
  output.result({ ...transfer, ...(archive === undefined ? {} : { path: archive }) }, () => {
    const done =
      archive === undefined ? `Created the site ${site}` : `Exported the site ${site} to ${archive}`
    const { records, edges, secrets } = progress
    output.line(`${done}: ${records} records, ${edges} edges, ${secrets} secrets.`, 'green')
    for (const note of notes) output.line(note, 'yellow')
  })
}
