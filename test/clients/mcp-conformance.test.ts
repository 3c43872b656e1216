/**
 * Runs scenarios of the conformance suite of the Model Context Protocol, for its versions of 2025 and 2026.
 * It runs only scenarios for the features of the service; others call tools and prompts that exist only for
 * the suite. The suite sends no credentials, so a server in front of the service adds them.
 */
import { execFile } from 'node:child_process'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Stack, startStack } from './stack.ts'

const suite = join(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

let stack: Stack
let server: Server

beforeAll(async () => {
  stack = await startStack()
  const { host } = new URL(stack.base)
  server = createServer((sent, answer) => {
    const headers = { ...sent.headers, host, authorization: `Bearer ${stack.token}` }
    const passed = request(`${stack.base}/api/mcp/`, { method: sent.method, headers }, (received) => {
      answer.writeHead(received.statusCode ?? 502, received.headers)
      received.pipe(answer)
    })
    sent.pipe(passed)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await stack.stop()
})

const scenarios: Record<string, readonly string[]> = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection'],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'http-header-validation',
    'dns-rebinding-protection',
    'input-required-result-missing-input-response',
    'input-required-result-unsupported-methods',
    'input-required-result-ignore-extra-params',
    'input-required-result-validate-input',
  ],
}

describe.each(Object.entries(scenarios))('the version %s of the protocol', (version, names) => {
  it.each(names)('conforms in %s', async (name) => {
    const { port } = server.address() as AddressInfo
    const args = [
      'server',
      '--url',
      `http://127.0.0.1:${port}/`,
      '--scenario',
      name,
      '--spec-version',
      version,
    ]
    const { stdout } = await promisify(execFile)(process.execPath, [suite, ...args])
    expect(stdout).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed/)
  })
})
