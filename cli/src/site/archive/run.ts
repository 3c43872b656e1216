/** What `tessera sites export`, `import` and `copy` do. Loaded when they are called: the readers of files are large. */
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { silenceProgress } from '../../../../dev/loader/progress.ts'
import { type Context, clientFor } from '../../context.ts'
import { exitCodes } from '../../exit-codes.ts'
import { Problem } from '../../problem.ts'
import type { Target } from '../../target.ts'
import type { Output } from '../../terminal/output.ts'
import { unpack } from './container.ts'
import { exportSite } from './export-site.ts'
import { ensureSite, type ImportedSite, importSite } from './import-site.ts'
import { readPrivateKey, readPublicKey } from './secret-box.ts'

function prepare({ isJson }: Output): void {
  // The scripts of npm run in the folder of the project, and this command in that of its caller.
  delete process.env.INIT_CWD
  if (isJson) silenceProgress()
  if (!('rawJSON' in JSON))
    throw new Problem(
      `Archives need Node 22 or newer; this is ${process.version}, which loses digits of numbers.`,
    )
}

function siteTarget(target: Target): Target & { site: string } {
  const { site } = target
  if (site === undefined) throw new Problem('Name the site with --site.', exitCodes.usage)
  return { ...target, site }
}

interface SaveOptions {
  rows: boolean
  secretsFor?: string
  replace?: boolean
}

/** Writes a site into an archive. */
export async function save(context: Context, options: SaveOptions, archive: string): Promise<void> {
  const { output } = context
  prepare(output)
  const target = siteTarget(context.target)
  const { secretsFor, rows, replace = false } = options
  const publicKey = secretsFor === undefined ? undefined : readPublicKey(secretsFor)
  const path = resolve(archive)
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
}

/** Creates a site of an archive. */
export async function restore(context: Context, options: RestoreOptions, archive: string): Promise<void> {
  const { output } = context
  prepare(output)
  const { organization, secretsKey, resume = false } = options
  const privateKey = secretsKey === undefined ? undefined : readPrivateKey(secretsKey)
  const path = resolve(archive)
  const folder = `${path}.import`
  if (existsSync(folder) && !resume)
    throw new Problem(`An earlier import of ${archive} was interrupted. Add --resume, or delete ${folder}.`)
  const manifest = await unpack(path, folder, resume)
  const slug = options.slug ?? String(manifest.site.slug)
  const name = options.name ?? String(manifest.site.name)
  const { environment } = manifest.site
  await ensureSite(context.client(), { slug, name, organization, environment }, resume)
  const target = { url: context.target.url, site: slug }
  const imported = await importSite({ client: clientFor(target), target, manifest, folder, privateKey })
  rmSync(folder, { recursive: true, force: true })
  show(output, slug, imported)
}

/** Says what was imported, and what has to be done. */
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

/** Writes signing secrets into a file for the owner alone. Returns its path; undefined without secrets. */
function keepSigningSecrets(slug: string, secrets: Readonly<Record<string, string>>): string | undefined {
  if (Object.keys(secrets).length === 0) return undefined
  const file = resolve(`${slug}.signing-secrets.json`)
  writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  return file
}

interface CopyOptions {
  organization: string
  name?: string
  rows?: boolean
  secrets?: boolean
}

/** Exports and imports, with a key that nobody keeps. */
export async function copy(context: Context, options: CopyOptions, slug: string): Promise<void> {
  const { output } = context
  prepare(output)
  const source = siteTarget(context.target)
  const keys = options.secrets ? generateKeyPairSync('rsa', { modulusLength: 3072 }) : undefined
  const place = mkdtempSync(join(tmpdir(), 'tessera-copy-'))
  try {
    const path = join(place, 'site.zip')
    const client = context.client()
    const rows = options.rows ?? false
    await exportSite({ client, target: source, path, replace: false, rows, publicKey: keys?.publicKey })
    const folder = join(place, 'site')
    const manifest = await unpack(path, folder, false)
    const { name = String(manifest.site.name), organization } = options
    const { environment } = manifest.site
    await ensureSite(client, { slug, name, organization, environment }, false)
    const target = { url: source.url, site: slug }
    const privateKey = keys?.privateKey
    show(output, slug, await importSite({ client: clientFor(target), target, manifest, folder, privateKey }))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
