/** Sample code for a server that functions call. It checks the signature, as Standard Webhooks defines it. */

/** The maximum age of a call, in seconds, as Standard Webhooks recommends. */
const ageMax = 300

/** The texts in the code, in the person's language. */
interface Comments {
  verify: string
  age: string
  signatures: string
}

/** Returns a module with a function that checks a call. It needs only Web Crypto. */
export const verifyCode = ({ verify, age, signatures }: Comments): string => `// ${verify}
export async function verify(request, secret) {
  const headerOf = (name) => request.headers.get(name) ?? ''
  const [id, timestamp] = [headerOf('webhook-id'), headerOf('webhook-timestamp')]
  // ${age}
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!(age <= ${ageMax})) throw new Error('The call is too old.')

  const body = await request.text()
  const signed = new TextEncoder().encode(\`\${id}.\${timestamp}.\${body}\`)
  const bytesOf = (base64) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  const key = await crypto.subtle.importKey(
    'raw',
    bytesOf(secret.replace('whsec_', '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  // ${signatures}
  for (const signature of headerOf('webhook-signature').split(' ')) {
    const [version, value] = signature.split(',')
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytesOf(value), signed)))
      return JSON.parse(body)
  }
  throw new Error('The signature is wrong.')
}
`

/** A Node server that answers calls with a valid signature, and rejects others. */
export const serverCode = `import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verify } from './verify.mjs'

const server = createServer(async (incoming, answer) => {
  const { headers, url } = incoming
  const body = await buffer(incoming)
  const request = new Request(new URL(url, 'http://localhost'), { method: 'POST', headers, body })
  try {
    const { type } = await verify(request, process.env.SIGNING_SECRET)
    answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ received: type }))
  } catch (error) {
    answer.writeHead(401).end(error.message)
  }
})
server.listen(process.env.PORT ?? 8080)
`
