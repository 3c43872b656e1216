/** The second wall between sites whose rows are in the same tables, on the oldest supported version of Postgres. */
import { neonConfig } from '@neondatabase/serverless'
import { afterAll } from 'vitest'
import { type NeonEndpoint, startNeonEndpoint } from '../../dev/neon-endpoint.ts'
import { attackSuite } from '../support/attacks/suite.ts'
import { type Service, startService } from '../support/service.ts'
import { otherVersions, programsOf } from './versions.ts'

let service: Service
let endpoint: NeonEndpoint
afterAll(async () => {
  await endpoint?.close()
  await service?.stop()
})

attackSuite(async () => {
  let serviceUrl = ''
  const variables = async ({ urlsOf }: { urlsOf(database: string): { service: string } }) => {
    serviceUrl = urlsOf('tessera').service
    return {}
  }
  service = await startService([], variables, await programsOf(otherVersions[0]))
  endpoint = await startNeonEndpoint()
  neonConfig.fetchEndpoint = endpoint.url
  return {
    serviceUrl,
    superuserUrl: service.postgres.superuserUrl('tessera'),
    request: (method, path, body) => service.client.request(method, path, body),
  }
})
