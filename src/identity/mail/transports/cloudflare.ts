/** The transport for Cloudflare's e-mail service: the `send_email` binding. */
import { asMessage, MailFailure, type Transport } from './transport.ts'

/** Sends an e-mail through the binding EMAIL. */
export const sendByCloudflare: Transport = async ({ env, config }, { to, ...content }) => {
  if (!env.EMAIL) throw new MailFailure('the binding EMAIL is missing')
  if (!config.EMAIL_FROM) throw new MailFailure('EMAIL_FROM is not set')
  try {
    await env.EMAIL.send({ from: config.EMAIL_FROM, to, ...asMessage(content) })
  } catch (error) {
    const code =
      typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'no code'
    throw new MailFailure(`the binding EMAIL did not accept the e-mail: ${code}`)
  }
}
