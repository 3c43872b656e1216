/** The demo's secrets, of each sensitivity level, for the site and for an app. Nothing in them is real. */
import type { Client } from '../client.ts'

const text = { type: 'string' }

const types = [
  {
    name: 'storefront',
    description: 'What every page of the shop may know.',
    sensitivity_level: 'public',
    schema: {
      type: 'object',
      required: ['currency'],
      properties: { currency: { enum: ['EUR', 'USD'] }, support_email: { type: 'string', format: 'email' } },
    },
  },
  {
    name: 'payment-provider',
    description: 'How payments are collected.',
    sensitivity_level: 'private',
    schema: {
      type: 'object',
      required: ['merchant', 'key'],
      properties: { merchant: text, key: text },
      additionalProperties: false,
    },
  },
  {
    name: 'signing-certificate',
    description: 'What documents are signed with. It is never cached.',
    sensitivity_level: 'sensitive',
    schema: { type: 'object', required: ['pem'], properties: { pem: text } },
  },
]

const tags = [
  { name: 'payments', description: 'What money depends on', color: '#0F766E' },
  { name: 'web', description: 'What pages use', color: '#B45309' },
]

const secrets = [
  {
    key: 'STOREFRONT',
    secret_type: 'storefront',
    value: { currency: 'EUR', support_email: 'help@example.com' },
    tags: ['web'],
  },
  {
    key: 'PAYMENTS',
    secret_type: 'payment-provider',
    value: { merchant: 'harbour-street', key: 'not-a-real-key' },
    tags: ['payments'],
  },
  {
    key: 'PAYMENTS',
    secret_type: 'payment-provider',
    app: 'shop',
    value: { merchant: 'harbour-street-shop', key: 'not-a-real-key-either' },
    tags: ['payments', 'web'],
  },
  {
    key: 'SIGNATURE',
    secret_type: 'signing-certificate',
    value: { pem: 'not a real certificate' },
    tags: [],
  },
]

/** Creates the types, tags and secrets that are not there yet. `api` is the path of the site's API. */
export async function seedSecrets(client: Client, api: string): Promise<void> {
  for (const type of types) {
    if (await client.find(`${api}/secret-types/${type.name}/`)) continue
    await client.request('POST', `${api}/secret-types/`, { type: 'custom', ...type })
  }
  for (const tag of tags) {
    if (await client.find(`${api}/tags/${tag.name}/`)) continue
    await client.request('POST', `${api}/tags/`, tag)
  }
  for (const secret of secrets) {
    const level = secret.app === undefined ? '' : `&app=${secret.app}`
    const path = `${api}/secrets/?key=${secret.key}${level}`
    const { count } = await client.request<{ count: number }>('GET', path)
    if (count === 0) await client.request('POST', `${api}/secrets/`, secret)
  }
}
