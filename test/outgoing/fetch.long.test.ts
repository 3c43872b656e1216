/** The time limit for servers whose URLs come from tenants. */
import { expect, inject, it } from 'vitest'
import { guardedFetch } from '../../src/kernel/outgoing/fetch.ts'
import { timeLimit } from '../support/time-limit.ts'

it('a request to a server that does not respond fails after 10 seconds', async () => {
  const servers = inject('identityProviders')
  const before = Date.now()
  const config = { ALLOW_PRIVATE_HOSTS: true, DNS_OVER_HTTPS: `${servers}/dns` }
  await expect(guardedFetch(config, `${servers}/drip`)).rejects.toMatchObject({
    name: 'OutgoingFailure',
    message: 'the server does not respond',
  })
  expect(Date.now() - before).toBeGreaterThan(9_000)
  expect(Date.now() - before).toBeLessThan(10_000 + (await timeLimit(5_000)))
})
