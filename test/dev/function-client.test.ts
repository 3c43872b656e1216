/** The client in the isolates of functions is built from the present sources. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { functionClient, functionClientPath } from '../../dev/function-client.ts'

it('the client of functions is built from the present sources of the client: npm run build:client', async () => {
  expect(readFileSync(functionClientPath, 'utf8')).toBe(await functionClient())
})
