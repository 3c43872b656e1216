/** The files that are built from the present sources. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { codeType, codeTypePath, functionClient, functionClientPath } from '../../dev/function-client.ts'

it('the client of functions is built from the present sources of the client: npm run build:client', async () => {
  expect(readFileSync(functionClientPath, 'utf8')).toBe(await functionClient())
})

it('the codes of errors in the client are those of the service: npm run build:client', () => {
  expect(readFileSync(codeTypePath, 'utf8')).toBe(codeType())
})
