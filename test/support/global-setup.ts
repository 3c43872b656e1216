/**
 * Shared by the whole suite: a Postgres with a migrated template database, and the Neon endpoint in front of
 * it.
 */
import type { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { onConnection } from '../../dev/connection.ts'
import { newMasterKeys } from '../../dev/master-keys.ts'
import { startNeonEndpoint } from '../../dev/neon-endpoint.ts'
import { newSigningKeys } from '../../dev/signing-keys.ts'
import { startCertifiedProvider } from './certified-provider.ts'
import { startCoverage } from './coverage.ts'
import { startDnsServer } from './dns-server.ts'
import { startIdentityProviders } from './identity-providers.ts'
import { startMigratedPostgres } from './postgres.ts'
import { type RowsReport, startRows } from './rows/report.ts'
import { startWebhookServer } from './webhook-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL for the role that owns the platform. It may create any database but the template. */
    databaseUrl: string
    /**
     * The URLs for the role of the service, and for the role that changes large tables; each needs the name
     * of a database.
     */
    serviceUrl: string
    schemaUrl: string
    superuserUrl: string
    neonEndpoint: string
    signingKeys: string
    masterKeys: string
    /** The address of the server that collects the observed responses. */
    coverageUrl: string
    /** The form of the suite that runs: test/vitest.config.ts. */
    length: 'short' | 'long' | 'soak'
    /** The address of support/webhook-server.ts. */
    webhookServer: string
    /** The address of support/dns-server.ts. */
    dnsServer: string
    /** The address of support/identity-providers.ts. */
    identityProviders: string
    /** The issuer of support/certified-provider.ts. */
    certifiedProvider: string
  }
}

export default async function setup(project: TestProject) {
  // Each file has a database with its own connections.
  const { server, urlsOf } = await startMigratedPostgres('template_tessera', [
    'synchronous_commit=off',
    'full_page_writes=off',
    // Each file opens its own connections.
    'scram_iterations=1',
    'max_connections=400',
    'max_parallel_workers_per_gather=0',
  ])
  try {
    const { owner, service, schema } = urlsOf('postgres')
    await onConnection(urlsOf('template_tessera').owner, keepTimeout)
    const rows = startRows()
    const endpoint = await startNeonEndpoint(0, {
      observer: rows.observer,
      superuserUrl: server.superuserUrl(),
    })
    const coverage = await startCoverage()
    const webhooks = await startWebhookServer()
    const providers = await startIdentityProviders()
    const dns = await startDnsServer()
    const certified = await startCertifiedProvider([
      'http://localhost/sites/certified/accounts/certified/login/callback/',
    ])
    project.provide('databaseUrl', owner)
    project.provide('serviceUrl', service)
    project.provide('schemaUrl', schema)
    project.provide('superuserUrl', server.superuserUrl())
    project.provide('neonEndpoint', endpoint.url)
    project.provide('coverageUrl', coverage.url)
    project.provide('webhookServer', webhooks.url)
    project.provide('identityProviders', providers.url)
    project.provide('dnsServer', dns.url)
    project.provide('certifiedProvider', certified.issuer)
    project.provide('signingKeys', await newSigningKeys())
    project.provide('masterKeys', newMasterKeys())
    return async () => {
      await coverage.close()
      await webhooks.close()
      await providers.close()
      await dns.close()
      await certified.close()
      await endpoint.close()
      await server.stop()
      requireRows(await rows.end())
      if (process.env.WHOLE_SUITE) requireAll(coverage.unseen())
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/**
 * Sets the timeout of the service's role in each database, because a clone does not inherit it from the
 * template.
 */
async function keepTimeout(client: Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter role %I set statement_timeout = %L', r.rolname, split_part(c, '=', 2)) as statement
       from pg_db_role_setting s join pg_roles r on r.oid = s.setrole
       join pg_database d on d.oid = s.setdatabase and d.datname = current_database()
       join unnest(s.setconfig) c on c like 'statement_timeout=%'`,
  )
  for (const { statement } of rows) await client.query(statement)
}

/** Statements that are not described here. */
const undescribed = [
  // Only other suites send them: `stack` has a replica and followers, and `test:mongodb` has a server.
  'src/kernel/db/replica.ts:',
  'src/data/providers/mongodb/',
  'src/operation/live/',
  // Its table exists in a dry run alone.
  'src/data/schema-changes/measure-steps.ts:',
  // It is sent by a connection of its own, not by the Neon endpoint.
  'src/data/schema-changes/run-long.ts:',
]

/**
 * Fails if a statement has returned other rows than its source promises, or, after the whole suite, if no test
 * has sent one.
 */
function requireRows({ promised, faults, unseen }: RowsReport): void {
  const unchecked = process.env.WHOLE_SUITE
    ? unseen.filter((place) => !undescribed.some((start) => place.startsWith(start)))
    : []
  if (faults.length + unchecked.length === 0) return
  console.error(
    `\nRows that are not as promised:\n  ${faults.join('\n  ')}\n` +
      `Statements with rows that no test has sent, of ${promised}:\n  ${unchecked.join('\n  ')}\n`,
  )
  process.exitCode = 1
}

/** Fails if no test has observed a status that the document declares. */
function requireAll(unseen: readonly string[]): void {
  if (unseen.length === 0) return
  console.error(
    `\nDeclared in the OpenAPI document, and seen by no test:\n  ${unseen.join('\n  ')}\n\n` +
      `The suite has failed: no test saw ${unseen.length} of the answers that the document declares.\n` +
      'Test each of them, or do not declare it.\n',
  )
  process.exitCode = 1
}
