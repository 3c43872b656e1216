/** Serves one message of the Model Context Protocol, in its versions of 2025 and 2026. */
import type { McpCaller } from './server.ts'
import { makeServer } from './server.ts'

/** Loads the packages of the protocol, at the first request that needs them. */
const load = () => import('@modelcontextprotocol/server')

/**
 * Returns the head of a request for the packages of the protocol. They reject clients that do not accept
 * streams, although no answer is a stream.
 */
function headOf({ url, method, headers }: Request): Request {
  const accepting = new Headers(headers)
  accepting.set('accept', 'application/json, text/event-stream')
  return new Request(url, { method, headers: accepting })
}

/**
 * Answers a message with JSON, never with a stream. No state is kept between requests. The caller's
 * credentials have been checked.
 */
export async function serveMessage(sent: Request, message: unknown, caller: McpCaller): Promise<Response> {
  const { McpServer, createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport } =
    await load()
  const request = headOf(sent)
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
