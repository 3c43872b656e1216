/** Tells a site that does not answer from a missing part of it. */
import type { Client } from '../../client/src/index.ts'

/** Throws the 404 of a site that does not exist, or is suspended or deleted. Its hint says which. */
export async function requireSite(client: Client): Promise<void> {
  await client.request({ path: '/api/apps/', query: { page_size: 1 } })
}
