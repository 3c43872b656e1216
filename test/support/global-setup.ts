/** What the whole suite shares: a Postgres of its own with a migrated template database, and the Neon endpoint before it. */
import type { TestProject } from 'vitest/node'
import { onConnection } from '../../dev/connection.ts'
import { newMasterKeys } from '../../dev/master-keys.ts'
import { migrate, migrationsOf } from '../../dev/migrations.ts'
import { startNeonEndpoint } from '../../dev/neon-endpoint.ts'
import { startPostgres } from '../../dev/postgres.ts'
import { createRoles } from '../../dev/roles.ts'
import { newSigningKeys } from '../../dev/signing-keys.ts'
import { startCertifiedProvider } from './certified-provider.ts'
import { startCoverage } from './coverage.ts'
import { startDnsServer } from './dns-server.ts'
import { startIdentityProviders } from './identity-providers.ts'
import { startWebhookServer } from './webhook-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the role that owns the platform; any database but the template may be made by it. */
    databaseUrl: string
    /** Of the service's role, and of the one that changes large tables; to be completed by a database's name. */
    serviceUrl: string
    schemaUrl: string
    superuserUrl: string
    neonEndpoint: string
    signingKeys: string
    masterKeys: string
    /** Where what was seen of the document is gathered. */
    coverageUrl: string
    /** How many crashes test/events/crashes.test.ts has. */
    crashes: number
    /** How many sequences test/security/account-sequences.test.ts plays, and of which seed. */
    accountSequences: number
    accountSeed: number
    /** Of support/webhook-server.ts. */
    webhookServer: string
    /** Of support/dns-server.ts. */
    dnsServer: string
    /** Of support/identity-providers.ts. */
    identityProviders: string
    /** The issuer of support/certified-provider.ts. */
    certifiedProvider: string
    /** The files of migrations/tenant, in order. */
    tenantMigrations: string[]
  }
}

export default async function setup(project: TestProject) {
  // What is tested survives no crash of the machine: it need not wait for the disk. Each file has a database with connections of its own.
  const server = await startPostgres({ settings: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=400'] })
  try {
    const urlsOf = await createRoles(server, 'password')
    const { owner, service, schema } = urlsOf('postgres')
    await onConnection(owner, (client) => client.query('create database template_tessera'))
    const template = urlsOf('template_tessera')
    await migrate(template.owner, { roles: template })
    const endpoint = await startNeonEndpoint()
    const coverage = await startCoverage()
    const webhooks = await startWebhookServer()
    const providers = await startIdentityProviders()
    const dns = await startDnsServer()
    const certified = await startCertifiedProvider(['http://localhost/sites/certified/accounts/certified/login/callback/'])
    project.provide('databaseUrl', owner)
    project.provide('serviceUrl', service)
    project.provide('schemaUrl', schema)
    project.provide('superuserUrl', server.superuserUrl())
    project.provide('neonEndpoint', endpoint.url)
    project.provide('coverageUrl', coverage.url)
    project.provide('crashes', Number(process.env.SOAK_CRASHES ?? 200))
    project.provide('accountSequences', Number(process.env.ACCOUNT_SEQUENCES ?? 60))
    project.provide('accountSeed', Number(process.env.ACCOUNT_SEED ?? Math.floor(Math.random() * 2 ** 31)))
    project.provide('webhookServer', webhooks.url)
    project.provide('identityProviders', providers.url)
    project.provide('dnsServer', dns.url)
    project.provide('certifiedProvider', certified.issuer)
    project.provide('signingKeys', await newSigningKeys())
    project.provide('masterKeys', newMasterKeys())
    project.provide(
      'tenantMigrations',
      migrationsOf('tenant').map(({ sql }) => sql),
    )
    return async () => {
      await coverage.close()
      await webhooks.close()
      await providers.close()
      await dns.close()
      await certified.close()
      await endpoint.close()
      await server.stop()
      if (process.env.WHOLE_SUITE) requireAll(coverage.unseen())
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** Every status that the document declares has to be seen by a test. */
function requireAll(unseen: readonly string[]): void {
  if (unseen.length === 0) return
  console.error(`\nDeclared in the OpenAPI document, and seen by no test:\n  ${unseen.join('\n  ')}\n`)
  process.exitCode = 1
}
