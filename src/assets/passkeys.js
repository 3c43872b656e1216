// Passkeys on the pages of the service (src/page/passkey.tsx, src/accounts/pages/passkeys.tsx): has the browser sign
// with one or make one, and sends what it answers. A browser without passkeys sees nothing of it.
const fromBase64url = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
const toBase64url = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Sends a body, and returns the answer. Throws what the service says is wrong. */
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

/** What a credential and its answer have in common, as JSON. */
const asJson = ({ id, rawId, type, response }, members) => ({
  id,
  rawId: toBase64url(rawId),
  type,
  response: Object.fromEntries(
    members.flatMap((name) => (response[name] ? [[name, toBase64url(response[name])]] : [])),
  ),
})

async function signIn({ mount, next, challenge: waiting }) {
  const { challenge, ...options } = await send(
    `${mount}/api/auth/passkeys/options/`,
    waiting ? { challenge: waiting } : {},
  )
  const credential = await navigator.credentials.get({
    publicKey: { ...options, challenge: fromBase64url(challenge) },
  })
  const members = ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle']
  const trusts = Boolean(waiting && document.getElementById('trust_device')?.checked)
  await send(`${mount}/api/auth/session/passkey/`, {
    credential: asJson(credential, members),
    ...(trusts ? { trust_device: true } : {}),
  })
  location.assign(next)
}

async function add({ mount }, name) {
  const { access } = await send(`${mount}/api/auth/session/token/`)
  const path = `${mount}/api/users/me/passkeys/`
  const { challenge, user, excludeCredentials, ...options } = await send(`${path}options/`, undefined, access)
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
  const { recovery_codes } = await send(path, { name, credential: sent }, access)
  return recovery_codes
}

/** Shows what was added, and the codes, which nothing shows again. */
function showAdded(part, codes) {
  const added = document.getElementById('added')
  const list = document.getElementById('codes')
  for (const code of codes) list.append(Object.assign(document.createElement('li'), { textContent: code }))
  document.getElementById('has-codes').hidden = codes.length === 0
  document.getElementById('present').hidden = true
  part.hidden = true
  added.hidden = false
  added.focus()
}

for (const part of window.PublicKeyCredential ? document.querySelectorAll('[data-passkey]') : []) {
  const problem = part.querySelector('[role=alert]')
  // What to say about the errors of the browser, by their names, in the language of the page.
  const messages = JSON.parse(part.dataset.messages)
  const run = async (event) => {
    event.preventDefault()
    problem.hidden = true
    try {
      if (part.dataset.passkey === 'sign-in') await signIn(part.dataset)
      else showAdded(part, await add(part.dataset, new FormData(part).get('name')))
    } catch (error) {
      problem.textContent = messages[error.name] ?? error.message
      problem.hidden = false
    }
  }
  if (part.dataset.passkey === 'sign-in') part.querySelector('button').addEventListener('click', run)
  else part.addEventListener('submit', run)
  part.hidden = false
}
