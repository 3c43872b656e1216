/** The status of the service, and its dead jobs, on the wire. */
import { z } from 'zod'
import { count, id, timestamp } from '../../http/openapi/bodies.ts'

const milliseconds = z.number().min(0)

/** The status of the service in responses. */
export const status = z
  .object({
    isolate: z
      .object({
        since: timestamp.describe('When it measured something first.'),
        requests: count.describe('The requests that it has answered.'),
        failed_requests: count.describe('Those that it has answered with a status from 500 on.'),
        round_trips: count.describe('The round trips to Postgres.'),
        round_trip_ms: milliseconds.describe('What one of them took on average.'),
      })
      .describe('The isolate that answers. Others have figures of their own; OTLP has those of all.'),
    slow_statements: z
      .array(
        z.object({
          statements: z.array(z.string()).describe('The names of the statements of a round trip.'),
          count: count.describe('How many round trips had these statements.'),
          mean_ms: milliseconds.describe('What one took on average.'),
          max_ms: milliseconds.describe('What the slowest one took.'),
        }),
      )
      .describe('The round trips by their statements: the twenty that took the longest all together.'),
    advice: z
      .array(
        z.object({
          site_id: id.describe('The id of the site.'),
          app: z.string().describe('The slug of the app.'),
          table: z.string().describe('The name of the table.'),
          fields: z.array(z.string()).describe('The fields of an index that would help.'),
          method: z
            .enum(['btree', 'trigram'])
            .describe('The method of the index: `trigram` where parts of texts are compared.'),
          count: count.describe('How many slow lists the isolate has seen.'),
          max_ms: milliseconds.describe('What the slowest one took in Postgres.'),
          trial: z
            .object({
              cost_before: z.number().describe('What Postgres expects such a list to cost now.'),
              cost_after: z.number().describe('What it expects with the index.'),
              is_used: z.boolean().describe('Whether Postgres would use the index.'),
            })
            .nullable()
            .describe(
              'What Postgres says of the index, by its extension `hypopg`. Null: it was not tried, and the ' +
                'advice is by rule alone.',
            ),
        }),
      )
      .describe('Slow lists of records whose filter or order no index serves.'),
    queue: z
      .object({
        rows: count.describe('Outbox rows whose invocations have not all finished.'),
        overdue: count.describe(
          'Those of them that the sweep should have queued more than five minutes ago.',
        ),
        oldest: timestamp.nullable().describe('When the first of them was due; null if there are none.'),
        waiting: count.describe('Invocations that waited when their sites were last measured.'),
      })
      .describe('The work that waits.'),
    dead_letters: z
      .object({
        invocations: count.describe('Failed invocations when their sites were last measured.'),
        jobs: z
          .array(
            z.object({
              kind: z.string().describe('The kind of the message.'),
              count: count.describe('How many there are.'),
              newest: timestamp.describe('When the last one was given up.'),
              error: z
                .string()
                .nullable()
                .describe('What the last one failed with; null if it is not known.'),
            }),
          )
          .describe('Messages of the queues that were given up, by kind.'),
      })
      .describe('What was given up.'),
    sites: z
      .object({
        count: count.describe('All sites.'),
        behind: count.describe('Those that a migration has yet to reach.'),
        limited: count.describe('Those that have reached a hard limit.'),
        measured: timestamp
          .nullable()
          .describe('When the site that was not measured for longest was measured.'),
      })
      .describe('The sites.'),
    keys: z
      .object({
        master: z
          .array(
            z.object({
              kid: z.string().describe('The id of the key.'),
              is_current: z.boolean().describe('Whether new data keys are wrapped with it.'),
              data_keys: count.describe('How many data keys it has wrapped.'),
              oldest: timestamp.nullable().describe('When the first of these was made.'),
            }),
          )
          .describe('The master keys.'),
        signing: z
          .array(
            z.object({
              kid: z.string().describe('The id of the key.'),
              is_current: z.boolean().describe('Whether it signs new tokens.'),
            }),
          )
          .describe('The keys that verify tokens.'),
      })
      .describe('The keys of the service.'),
  })
  .meta({ id: 'ServiceStatus', description: 'How the service is.' })
/** The status of the service in responses. */
export type Status = z.infer<typeof status>
