/**
 * Clients of the Model Context Protocol, in its versions of 2025 and 2026, use the tools. docs/guide/mcp.md.
 */
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { app, type Stack, startStack } from './stack.ts'

let stack: Stack

beforeAll(async () => {
  stack = await startStack()
  const send = (table: string, body: unknown) =>
    fetch(`${stack.base}/api/apps/${app}/datatables/${table}/data/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${stack.token}` },
      body: JSON.stringify(body),
    })
  await send('makers', { id: 1, name: 'Ostra' })
  await send('tools', [
    { name: 'Saw', fee: 12, maker_id: 1 },
    { name: 'Lathe', fee: 240, maker_id: 1 },
  ])
})
afterAll(() => stack.stop())

const about = { name: 'test', version: '1.0.0' }
const options = () => ({ requestInit: { headers: { authorization: `Bearer ${stack.token}` } } })
const address = () => new URL(`${stack.base}/api/mcp/`)

const clients: [name: string, connect: () => Promise<NewClient | OldClient>][] = [
  [
    '@modelcontextprotocol/client 2',
    async () => {
      const client = new NewClient(about)
      await client.connect(new NewTransport(address(), options()))
      return client
    },
  ],
  [
    '@modelcontextprotocol/sdk 1',
    async () => {
      const client = new OldClient(about)
      // The declarations of the package contradict each other under exactOptionalPropertyTypes.
      await client.connect(new OldTransport(address(), options()) as Parameters<typeof client.connect>[0])
      return client
    },
  ],
]

describe.each(clients)('%s', (_name, connect) => {
  it('lists the tools, finds the tools that cost more than 100 and their makers, and reads the guide', async () => {
    const client = await connect()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('query_records')
    const answer = (await client.callTool({
      name: 'query_records',
      arguments: { app, table: 'tools', filters: { fee__gt: 100 }, fields: 'name,maker.name' },
    })) as { content: { text: string }[] }
    expect(answer.content[0]?.text).toContain('{"name":"Lathe","maker":{"name":"Ostra"}}')
    const { resources } = await client.listResources()
    const queries = resources.find(({ title }) => title === 'Queries')
    const { contents } = await client.readResource({ uri: queries?.uri as string })
    expect(JSON.stringify(contents)).toContain('# Queries')
    await client.close()
  })
})
