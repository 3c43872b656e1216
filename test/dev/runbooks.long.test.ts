/**
 * The pages for operators, run by a shell from top to bottom: real commands of this repository, a real
 * database and a running Worker. wrangler and neonctl need an account, so programs that record their calls
 * replace them.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DeployedService, startDeployedService } from '../support/deployed-service.ts'
import { blocksOf } from '../support/runbooks.ts'
import { scaled } from '../support/scaled.ts'

const root = join(import.meta.dirname, '..', '..')
const publicUrl = 'https://app.tidewater.io'
const pages = ['deploy.md', 'upgrade.md', 'keys.md', 'runbooks.md']

let service: DeployedService
let bin: string

beforeAll(async () => {
  service = await startDeployedService(publicUrl)
  // A version already exists, so that the page can roll back to it.
  writeFileSync(service.account, '{"isSignedIn":true,"secrets":{},"queues":[],"versions":["version-0"]}')
  bin = join(service.folder, 'bin')
  mkdirSync(bin)
  const program = join(root, 'test', 'support', 'operator-program.ts')
  for (const name of ['psql', 'npx']) standIn(name, `"${process.execPath}" "${program}" ${name} "$@"`)
  standIn('curl', `"${process.execPath}" "${join(root, 'test', 'support', 'curl.ts')}" "$@"`)
})

afterAll(() => service?.stop())

function standIn(name: string, command: string): void {
  const file = join(bin, name)
  writeFileSync(file, `#!/bin/sh\nexec ${command}\n`)
  chmodSync(file, 0o755)
}

/** Fills in the values of an operator: the addresses of the database, and the names in wrangler.toml. */
const filledIn = (script: string): string =>
  script
    .replace(/postgresql:\/\/(\w+):[\w-]+@[^/']+\/tessera/g, (_, role) => urlOf(role))
    .replace(/^(npm run admin -- .*) --env production$/gm, `$1 --url ${publicUrl}`)
    .replace(
      /^(npm run deploy -- .*--env production)(.*)$/gm,
      `$1$2 --var PUBLIC_URL:${publicUrl} --url ${service.origin}`,
    )

function urlOf(role: string): string {
  const url = new URL(service.urls.owner)
  url.username = role
  return url.href
}

it.each(pages)('%s: every command works as the page says', (page) => {
  const blocks = blocksOf(page)
  expect(blocks.length).toBeGreaterThan(0)
  const script = blocks.map((block) => `echo "line ${block.line}"\n${filledIn(block.script)}`).join('\n')
  const { status, stdout, stderr } = spawnSync('sh', ['-eu', '-c', script], {
    cwd: root,
    encoding: 'utf8',
    timeout: scaled(300_000),
    env: {
      ...service.operator(),
      PATH: `${bin}${delimiter}${process.env.PATH}`,
      PUBLIC_URL: service.origin,
      NEW_DATABASE_URL: service.urls.service,
    },
  })
  expect([status, status === 0 ? '' : `${stdout.slice(-1500)}${stderr.slice(-1500)}`]).toEqual([0, ''])
})

it('the runbooks call wrangler and neonctl as the pages say', () => {
  const calls = service.calls()
  expect(calls).toContain(`deploy --env production --var PUBLIC_URL:${publicUrl} --secrets-file <file>`)
  expect(calls).toContain('rollback --env production --message npm run deploy -- rollback --yes')
  expect(calls).toContain('secret put SIGNING_KEYS --env production')
  expect(calls).toContain('secret put MASTER_KEYS --env production')
  expect(calls).toContain(
    'neonctl branches restore main ^self@2026-11-23T10:00:00Z --preserve-under-name main-before-restore',
  )
})
