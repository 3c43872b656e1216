/** `context.mail` of a function. Its e-mails are in the response of the isolate, and leave if the run succeeds. */

const mailsMax = 100
const members = ['to', 'subject', 'text', 'html', 'reply_to']

/** The error of an e-mail that is not accepted, in the form of the errors of the API. */
class MailError extends Error {
  constructor(message) {
    super(message)
    this.name = 'MailError'
    this.status = 422
  }
}

/** Returns `context.mail`, which adds to `mails`. `isOwn`: the site has a mail server of its own. */
export const mailOf = (mails, isOwn) =>
  Object.freeze({
    async send(mail) {
      const problem = problemOf(Object(mail), isOwn)
      if (problem) throw new MailError(`The e-mail is not accepted: ${problem}`)
      if (mails.length >= mailsMax) throw new MailError(`A run sends at most ${mailsMax} e-mails.`)
      const kept = members.filter((name) => mail[name] !== undefined)
      mails.push(Object.fromEntries(kept.map((name) => [name, String(mail[name])])))
      return { number: mails.length }
    },
  })

function problemOf(mail, isOwn) {
  const unknown = Object.keys(mail).find((name) => !members.includes(name))
  if (unknown !== undefined) return `it has an unknown member "${unknown}". Members: ${members.join(', ')}.`
  const missing = ['to', 'subject', 'text'].find(
    (name) => typeof mail[name] !== 'string' || !mail[name].trim(),
  )
  if (missing !== undefined) return `"${missing}" is missing.`
  const address = ['to', 'reply_to'].find((name) => mail[name] !== undefined && !isAddress(mail[name]))
  if (address !== undefined) return `"${address}" is not one e-mail address.`
  const own = ['html', 'reply_to'].find((name) => mail[name] !== undefined)
  if (own !== undefined && !isOwn)
    return `"${own}" needs a mail server of the site: create the secret MAIL of the type smtp-credentials.`
  const long = members.find((name) => String(mail[name] ?? '').length > (lengthsMax[name] ?? 254))
  return long && `"${long}" is too long.`
}

const lengthsMax = { subject: 200, text: 100_000, html: 200_000 }

const isAddress = (text) => /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/.test(text)
