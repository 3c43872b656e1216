/** The status of the service, and its dead jobs, in the API. */
import * as z from 'zod'
import { count, id, timestamp } from '../../../kernel/http/openapi/bodies.ts'

const milliseconds = z.number().min(0)

/** The status of the service in responses. */
export const status = z
  .object({
    isolate: z
      .object({
        since: timestamp.describe('The time of its first measurement.'),
        requests: count.describe('The number of requests that it has answered.'),
        failed_requests: count.describe('The number of answers with a status of 500 or more.'),
        round_trips: count.describe('The round trips to Postgres.'),
        round_trip_ms: milliseconds.describe('The mean duration of a round trip.'),
      })
      .describe(
        'The isolate that answers. Each isolate has its own figures; OTLP has those of all ' + 'isolates.',
      ),
    slow_statements: z
      .array(
        z.object({
          statements: z.array(z.string()).describe('The names of the statements of a round trip.'),
          count: count.describe('The number of round trips with these statements.'),
          mean_ms: milliseconds.describe('The mean duration.'),
          max_ms: milliseconds.describe('The duration of the slowest one.'),
        }),
      )
      .describe('The round trips by their statements: the twenty with the longest total duration.'),
    advice: z
      .array(
        z.object({
          site_id: id.describe('The id of the site.'),
          app: z.string().describe('The slug of the app.'),
          table: z.string().describe('The name of the table.'),
          fields: z.array(z.string()).describe('The fields of an index that would help.'),
          method: z
            .enum(['btree', 'trigram'])
            .describe('The method of the index. `trigram` is for filters on parts of texts.'),
          count: count.describe('The number of slow lists that it would have made fast.'),
          max_ms: milliseconds.describe('The duration of the slowest one in Postgres.'),
          trial: z
            .object({
              cost_before: z
                .number()
                .describe('The cost of such a list as Postgres estimates it, without the ' + 'index.'),
              cost_after: z.number().describe('The estimated cost with the index.'),
            })
            .nullable()
            .describe(
              "Postgres's estimate for the index, from the extension `hypopg`. Null: it was not tried, or " +
                'cannot be.',
            ),
        }),
      )
      .describe(
        'The indexes that slow lists of all sites lacked in the last 7 days, the slowest lists first.',
      ),
    queue: z
      .object({
        rows: count.describe('Outbox rows whose invocations have not all finished.'),
        overdue: count.describe('Outbox rows that are more than five minutes overdue.'),
        oldest: timestamp.nullable().describe('When the oldest of them was due; null if there are none.'),
        waiting: count.describe('Invocations that waited when their sites were last measured.'),
      })
      .describe('The waiting work.'),
    dead_letters: z
      .object({
        invocations: count.describe('Failed invocations when their sites were last measured.'),
        jobs: z
          .array(
            z.object({
              kind: z.string().describe('The kind of the message.'),
              count: count.describe('How many there are.'),
              newest: timestamp.describe('The time of the last failure.'),
              error: z.string().nullable().describe('The error of the last one; null if unknown.'),
            }),
          )
          .describe('Queue messages that have failed permanently, by kind.'),
      })
      .describe('Permanent failures.'),
    sites: z
      .object({
        count: count.describe('All sites.'),
        max: count.describe('The most sites that the database may have: `SITES_MAX`.'),
        limited: count.describe('The number of sites that have reached a hard limit.'),
        outdated: count.describe(
          'The number of sites with views, functions or triggers of an earlier release. The schedule makes ' +
            'them again.',
        ),
        measured: timestamp.nullable().describe('The oldest time of a last measurement among all sites.'),
      })
      .describe('The sites.'),
    keys: z
      .object({
        master: z
          .array(
            z.object({
              kid: z.string().describe('The id of the key.'),
              is_current: z.boolean().describe('Whether new data keys are encrypted with it.'),
              data_keys: count.describe('The number of data keys that it encrypts.'),
              oldest: timestamp
                .nullable()
                .describe('The age of the oldest of these data keys, as its time of ' + 'creation.'),
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
  .meta({ id: 'ServiceStatus', description: 'The status of the service.' })
/** The status of the service in responses. */
export type Status = z.infer<typeof status>
