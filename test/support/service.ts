/** The service for a browser: a Postgres, the Worker with a demo site, and a certified sign-in provider. */
import { type Client, signIn } from '../../dev/client.ts'
import { freePort } from '../../dev/free-port.ts'
import { newMasterKeys } from '../../dev/master-keys.ts'
import { startNeonEndpoint } from '../../dev/neon-endpoint.ts'
import type { PostgresServer } from '../../dev/postgres.ts'
import type { Programs } from '../../dev/postgres-programs.ts'
import { newSigningKeys } from '../../dev/signing-keys.ts'
import { ensureSuperuser } from '../../dev/superuser.ts'
import { type RunningWorker, startWorker } from '../../dev/worker.ts'
import { type CertifiedProvider, startCertifiedProvider } from './certified-provider.ts'
import { type MigratedPostgres, startMigratedPostgres } from './postgres.ts'

export const admin = { email: 'admin@example.com', password: 'Admin-demo-1' }

export interface Service {
  origin: string
  provider: CertifiedProvider
  /** The client of the superuser. */
  client: Client
  postgres: PostgresServer
  worker: RunningWorker
  stop(): Promise<void>
}

type Variables = Record<string, string>

/**
 * Starts a service. `handles` are the social apps that the provider may redirect back to. `variables` are
 * further ones of the Worker; a function returns them when Postgres runs. `programs` are those of another
 * Postgres version.
 */
export async function startService(
  handles: readonly string[],
  variables: Variables | ((postgres: MigratedPostgres) => Promise<Variables>) = {},
  programs?: Programs,
): Promise<Service> {
  const running: { stop(): Promise<void> }[] = []
  const stop = async () => {
    for (const part of running.toReversed()) await part.stop()
  }
  try {
    const migrated = await startMigratedPostgres('tessera', [], programs)
    const { server: postgres, urlsOf } = migrated
    running.push(postgres)
    const urls = urlsOf('tessera')
    await ensureSuperuser(urls.owner, admin.email, admin.password)
    const endpoint = await startNeonEndpoint()
    running.push({ stop: endpoint.close })
    const port = await freePort()
    const worker = await startWorker({
      host: '127.0.0.1',
      port,
      quiet: !process.env.LOUD,
      bindings: {
        ENVIRONMENT: 'development',
        // Counts of use would be written after the responses, at unpredictable times.
        USE_FLUSH_SECONDS: '0',
        DATABASE_URL: urls.service,
        SCHEMA_DATABASE_URL: urls.schema,
        NEON_ENDPOINT: endpoint.url,
        SIGNING_KEYS: await newSigningKeys(),
        MASTER_KEYS: newMasterKeys(),
        DEFAULT_SITE: 'demo',
        ALLOW_PRIVATE_HOSTS: 'true',
        RATE_LIMIT_SCALE: '100',
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        EMAIL_TRANSPORT: 'mailbox',
        EMAIL_FROM: 'tessera@example.com',
        ...(typeof variables === 'function' ? await variables(migrated) : variables),
      },
    })
    running.push(worker)
    const { origin } = worker.url
    const provider = await startCertifiedProvider(
      handles.map((handle) => `${origin}/accounts/${handle}/login/callback/`),
    )
    running.push({ stop: provider.close })
    const client = await signIn(origin, admin.email, admin.password)
    await client.request('POST', '/api/cloud/organizations/', { name: 'Harbour Street' })
    await client.request('POST', '/api/cloud/organizations/harbour-street/sites/', {
      name: 'Demo',
      slug: 'demo',
    })
    return { origin, provider, client, postgres, worker, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
