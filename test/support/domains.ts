/** Domains of sites, and their DNS records. */
import { createScheduledController } from 'cloudflare:test'
import { inject } from 'vitest'
import worker from '../../src/worker.ts'
import type { Site, TestApp } from './app.ts'
import type { Zone } from './dns-server.ts'

const at = (name: string) => `${inject('dnsServer')}?name=${encodeURIComponent(name)}`

/** Sets the data of a name in the DNS. */
export async function setZone(name: string, zone: Zone): Promise<void> {
  await fetch(at(name), { method: 'PUT', body: JSON.stringify(zone) })
}

/** Sets the TXT records that prove a domain. */
export const setProof = (domain: string, ...texts: string[]): Promise<void> =>
  setZone(`_tessera.${domain}`, { txt: texts.map((text) => JSON.stringify(text)) })

/** Returns how often the record of a domain was looked up. */
export const lookUps = async (domain: string): Promise<number> =>
  (await fetch(at(`_tessera.${domain}`).replace('/dns-query', '/asked'))).json() as Promise<number>

export function domainsOf(app: TestApp, site: Site) {
  const ask = (method: string) => (path: string, body?: unknown) =>
    app.request(method, `/api/cloud/sites/${site.slug}/domains/${path}`, {
      token: site.owner.token,
      ...(body ? { body } : {}),
    })
  const [get, post, remove] = [ask('GET'), ask('POST'), ask('DELETE')]
  const verify = (domain: string) => post(`${domain}/verify/`)
  return {
    list: () => get(''),
    add: (domain: string, more: object = {}) => post('', { domain, ...more }),
    remove: (domain: string) => remove(`${domain}/`),
    verify,
    /** Adds a domain and proves it. Returns its token. */
    async prove(domain: string): Promise<string> {
      const added = await post('', { domain })
      const { name, value } = added.body.dns_record
      await setZone(name, { txt: [JSON.stringify(value)] })
      const verified = await verify(domain)
      if (verified.status !== 200) throw new Error(JSON.stringify([added.body, verified.body]))
      return value
    },
  }
}

/** Runs the cron trigger once. */
export const tick = (app: TestApp) => worker.scheduled(createScheduledController(), app.env)
