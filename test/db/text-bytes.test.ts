/** How many bytes a text has as JSON, which Postgres counts in pieces. */
import { expect, it } from 'vitest'
import { startApp } from '../support/app.ts'

it('the bytes of a text are those of its JSON, also where a piece cuts a character', async () => {
  const app = await startApp()
  const texts = ['', 'ä', '"', '\\\b\f\n\r\t\u0001\u001f\u007f\u0085€😀']
  for (const length of [999_999, 1_000_000, 1_000_001, 2_000_000]) {
    texts.push(`${'x'.repeat(length)}€"`, `x${'€'.repeat(length / 3)}`, `${'😀"'.repeat(length / 5)}\n`)
  }
  const [row] = await app.sql<{ counted: number[]; real: number[]; none: number }>(
    `select array_agg(tessera.text_bytes(t)::integer order by n) as counted,
            array_agg(octet_length(to_json(t)::text) order by n) as real,
            tessera.text_bytes(null)::integer as none
       from unnest($1::text[]) with ordinality u (t, n)`,
    [texts],
  )
  expect(row?.counted).toEqual(row?.real)
  expect(row?.none).toBe(0)
})
