/** Serves one message of the Model Context Protocol, in the forms of 2025 and 2026. */
import type { McpCaller } from './server.ts'
import { makeServer } from './server.ts'

/** The packages of the protocol. They are loaded with the first request for them. */
const load = () => import('@modelcontextprotocol/server')

/**
 * Answers a message with JSON, never with a stream. Nothing is kept from one request to the next. The
 * caller's credentials have been checked.
 */
export async function serveMessage(request: Request, message: unknown, caller: McpCaller): Promise<Response> {
  const { McpServer, createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport } =
    await load()
  const make = () => makeServer(McpServer, caller)
  if (!(await isLegacyRequest(request, message))) {
    const handler = createMcpHandler(make, { legacy: 'reject', responseMode: 'json', maxSubscriptions: 0 })
    return handler.fetch(request, { parsedBody: message })
  }
  const server = make()
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}
