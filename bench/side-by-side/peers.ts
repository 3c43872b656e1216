/** The peers, and the function that starts the requested ones. */
import type { Stack } from '../stack.ts'
import { startDirectus } from './directus.ts'
import { startFloor } from './floor.ts'
import { startOurselves } from './ourselves.ts'
import type { Peer } from './peer.ts'
import { startPostgrest } from './postgrest.ts'
import type { Size } from './questions.ts'
import { startRaw } from './raw.ts'

type Start = (stack: Stack, size: Size) => Promise<Peer>

/** Each peer except the service, by its name on the command line. */
const starts: ReadonlyMap<string, Start> = new Map([
  ['floor', startFloor],
  ['raw', startRaw],
  ['postgrest', startPostgrest],
  ['directus', startDirectus],
])

export const peerNames: readonly string[] = [...starts.keys()]

/** A peer that could not be installed or started, and why. */
export interface Absent {
  name: string
  reason: string
}

export interface Started {
  /** The service is the first one. */
  peers: Peer[]
  absent: Absent[]
}

/**
 * Starts the service and the peers with these names. Leaves out a peer that does not start; throws if the
 * service does not start.
 */
export async function startPeers(stack: Stack, size: Size, names: readonly string[]): Promise<Started> {
  const peers = [await startOurselves(stack, size)]
  const absent: Absent[] = []
  for (const [name, start] of starts) {
    if (!names.includes(name)) continue
    try {
      peers.push(await start(stack, size))
    } catch (error) {
      absent.push({ name, reason: (error as Error).message })
    }
  }
  return { peers, absent }
}

export async function stopPeers(peers: readonly Peer[]): Promise<void> {
  for (const peer of peers) await peer.stop()
}
