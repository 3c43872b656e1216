/**
 * `npm run examples`: calls each operation of the API on the demo, and writes the requests and responses to
 * src/operation/reference/examples.json, for the OpenAPI documents.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { normalise } from './examples/normalise.ts'
import { performOperations } from './examples/perform.ts'
import { startStack } from './examples/stack.ts'
import { writeRouteList } from './route-list/write.ts'

const file = join(import.meta.dirname, '..', 'src', 'operation', 'reference', 'examples.json')
const started = Date.now()
// The service finds only routes that the list has.
await writeRouteList()
const stack = await startStack()
try {
  const { recorded, discovery } = await performOperations(stack.address)
  const text = `${JSON.stringify(normalise(recorded, discovery, started), null, 1)}\n`
  const changed = readOrEmpty(file) !== text
  writeFileSync(file, text)
  console.log(
    `${Object.keys(recorded).length} operations, ${text.length} bytes: ${changed ? 'written to' : 'the same as before in'} ${file}`,
  )
} finally {
  await stack.stop()
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
