// Passkeys on the pages of the service (src/kernel/page/passkey.tsx, src/identity/accounts/pages/passkeys.tsx): asks the
// browser to use or create a passkey, and sends the result. Shows nothing in a browser without passkeys.
const fromBase64url = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
const toBase64url = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Sends a body, and returns the answer. Throws the service's error message. */
async function send(path, body, token) {
  const response = await fetch(path, {
    method: 'POST',
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.detail ?? Object.values(answer).flat().join(' '))
  return answer
}

/** Returns the members of a credential as JSON, with those that all credentials have. */
const asJson = ({ id, rawId, type, response }, members) => ({
  id,
  rawId: toBase64url(rawId),
  type,
  response: Object.fromEntries(
    members.flatMap((name) => (response[name] ? [[name, toBase64url(response[name])]] : [])),
  ),
})

/** Asks the browser to sign a challenge of the service with a passkey, and returns the result. */
async function signed(mount, waiting) {
  const { challenge, ...options } = await send(
    `${mount}/api/auth/passkeys/options/`,
    waiting ? { challenge: waiting } : {},
  )
  const credential = await navigator.credentials.get({
    publicKey: { ...options, challenge: fromBase64url(challenge) },
  })
  return asJson(credential, ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle'])
}

async function signIn({ mount, next, challenge: waiting }) {
  const credential = await signed(mount, waiting)
  const trusts = Boolean(waiting && document.getElementById('trust_device')?.checked)
  await send(`${mount}/api/auth/session/passkey/`, {
    credential,
    ...(trusts ? { trust_device: true } : {}),
  })
  location.assign(next)
}

/** Asks the browser to create a passkey with the service's options, and returns the result. */
async function made({ challenge, user, excludeCredentials, ...options }) {
  const credential = await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: fromBase64url(challenge),
      user: { ...user, id: fromBase64url(user.id) },
      excludeCredentials: excludeCredentials.map(({ id, ...known }) => ({ ...known, id: fromBase64url(id) })),
    },
  })
  const sent = asJson(credential, ['clientDataJSON', 'attestationObject'])
  sent.response.transports = credential.response.getTransports?.() ?? []
  return sent
}

async function add(part) {
  const { mount } = part.dataset
  const { access } = await send(`${mount}/api/auth/session/token/`)
  const path = `${mount}/api/users/me/passkeys/`
  const credential = await made(await send(`${path}options/`, undefined, access))
  const name = new FormData(part).get('name')
  const { recovery_codes } = await send(path, { name, credential }, access)
  showAdded(part, recovery_codes)
}

/** Signs up with the values of the form, except its password. */
async function signUp(part) {
  const { mount, name } = part.dataset
  const form = document.getElementById('sign-up')
  const fields = ['first_name', 'last_name', 'email'].map((each) => form.elements[each])
  if (!fields.every((field) => field.reportValidity())) return
  const person = Object.fromEntries(fields.map((field) => [field.name, field.value]))
  const path = `${mount}/api/auth/sign-up/passkey/`
  const credential = await made(await send(`${path}options/`, person))
  await send(path, { ...person, name, credential })
  const sent = document.getElementById('sent')
  form.hidden = true
  part.hidden = true
  sent.hidden = false
  sent.focus()
}

async function finishSignUp(part) {
  const { mount, token } = part.dataset
  const credential = await signed(mount)
  const { recovery_codes } = await send(`${mount}/api/auth/sign-up/passkey/confirm/`, { token, credential })
  showAdded(part, recovery_codes)
}

/** Shows the new passkey, and the recovery codes, which are never shown again. */
function showAdded(part, codes) {
  const added = document.getElementById('added')
  const list = document.getElementById('codes')
  for (const code of codes) list.append(Object.assign(document.createElement('li'), { textContent: code }))
  document.getElementById('has-codes').hidden = codes.length === 0
  for (const present of document.querySelectorAll('#present')) present.hidden = true
  part.hidden = true
  added.hidden = false
  added.focus()
}

const actions = {
  'sign-in': (part) => signIn(part.dataset),
  add,
  'sign-up': signUp,
  'finish-sign-up': finishSignUp,
}

for (const part of window.PublicKeyCredential ? document.querySelectorAll('[data-passkey]') : []) {
  const problem = part.querySelector('[role=alert]')
  // The texts for the browser's errors, by their names, in the language of the page.
  const messages = JSON.parse(part.dataset.messages)
  const run = async (event) => {
    event.preventDefault()
    problem.hidden = true
    try {
      await actions[part.dataset.passkey](part)
    } catch (error) {
      problem.textContent = messages[error.name] ?? error.message
      problem.hidden = false
    }
  }
  if (part instanceof HTMLFormElement) part.addEventListener('submit', run)
  else part.querySelector('button').addEventListener('click', run)
  part.hidden = false
}
