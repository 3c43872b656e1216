/** The results of `npm run bench -- edge`, and their section in docs/performance.md. */
import type { Circumstances } from '../report/circumstances.ts'
import type { Kept } from '../report/page.ts'
import { short, table } from '../report/table.ts'
import type { HotRequest } from './hot-requests.ts'

/**
 * Milliseconds of a round trip to Postgres: in the same place, within a continent, across an ocean, around
 * the world.
 */
export const distances = [0, 40, 80, 160] as const

/** The milliseconds of a request at each distance. */
export interface Measured extends Pick<HotRequest, 'title' | 'roundTrips'> {
  /** In an isolate that has answered the request before. */
  warm: number[]
  /** For the first request of an isolate. */
  cold: number[]
}

interface EdgeResults extends Circumstances {
  distances: number[]
  requests: Measured[]
}

export const edgeResults: Kept<EdgeResults> = {
  name: 'edge',
  heading: 'Distance',
  paragraphs: ({ distances, requests }) => [
    'Milliseconds of a request, the fastest of several, by the milliseconds of a round trip between the Worker and Postgres, which the local ' +
      'Neon endpoint adds. In parentheses: the round trips that the difference between the first and the last column ' +
      'stands for.',
    '**In an isolate that is at work:**',
    tableOf(distances, requests, 'warm'),
    '**As the first request of an isolate:**',
    tableOf(distances, requests, 'cold'),
  ],
}

function tableOf(distances: readonly number[], requests: readonly Measured[], kind: 'warm' | 'cold'): string {
  const farthest = distances.at(-1) as number
  return table(
    ['Request', ...distances.map((distance) => `${distance} ms`), 'Round trips'],
    requests.map((request) => {
      const times = request[kind]
      const waited = ((times.at(-1) as number) - (times[0] as number)) / farthest
      const trips = `${request.roundTrips[kind]} (${waited.toFixed(2)})`
      return [request.title, ...times.map(short), trips]
    }),
  )
}
