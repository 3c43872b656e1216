// The form of an operation's page (src/operation/reference/pages/try-form.tsx): shows the request as a command, sends it
// with a token of the session, and shows the answer.
const form = document.getElementById('request')
const command = document.getElementById('command')
const answer = document.getElementById('answer')
const { method, path, credential, token: tokenPath } = form.dataset

/** Returns the request that the fields of the form describe. */
function request() {
  const fields = new FormData(form)
  let target = path
  const query = []
  const headers = {}
  for (const [name, value] of fields) {
    const [place, parameter] = [name.slice(0, name.indexOf(':')), name.slice(name.indexOf(':') + 1)]
    if (value === '') continue
    if (place === 'path') target = target.replace(`{${parameter}}`, encodeURIComponent(value))
    if (place === 'query') query.push([parameter, value])
  }
  const values = fields.getAll('value')
  for (const [row, name] of fields.getAll('filter').entries()) {
    if (name !== '') query.push([name, values[row]])
  }
  const body = fields.get('body')
  if (body !== null) headers['Content-Type'] = 'application/json'
  const search = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
  return { url: `${target}${search === '' ? '' : `?${search}`}`, headers, body }
}

const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`

/** Shows the request as a shell command. */
function showCommand() {
  const { url, headers, body } = request()
  const parts = ['curl']
  if (method !== 'GET') parts.push('-X', method)
  if (credential === 'bearer') parts.push('-H', '"Authorization: Bearer $TOKEN"')
  for (const [name, value] of Object.entries(headers)) parts.push('-H', quote(`${name}: ${value}`))
  if (body !== null) parts.push('-d', quote(body))
  parts.push(quote(location.origin + url))
  command.textContent = parts.join(' ')
}

let token
/** Returns the token of the session. Gets a new one if it is about to expire. */
async function accessToken() {
  if (token && token.until > Date.now()) return token.access
  const response = await fetch(tokenPath, { method: 'POST' })
  if (!response.ok) return undefined
  const { access, expires_in } = await response.json()
  token = { access, until: Date.now() + (expires_in - 10) * 1000 }
  return access
}

function show(heading, text, headers = '') {
  const title = document.createElement('h3')
  title.textContent = heading
  const shown = document.createElement('pre')
  shown.tabIndex = 0
  const code = document.createElement('code')
  code.textContent = `${headers}${headers && text ? '\n' : ''}${text}`
  shown.append(code)
  answer.replaceChildren(title, ...(code.textContent === '' ? [] : [shown]))
}

/** Returns JSON with line breaks, unless that would round a number. */
function readable(text) {
  try {
    const pretty = JSON.stringify(JSON.parse(text), null, 2)
    return pretty.replace(/\s/g, '').length === text.replace(/\s/g, '').length ? pretty : text
  } catch {
    return text
  }
}

const shownHeaders = [
  'content-type',
  'etag',
  'x-total-count',
  'allow',
  'location',
  'retry-after',
  'x-request-id',
]

async function send() {
  const { url, headers, body } = request()
  if (credential === 'bearer' && form.dataset.signedIn === 'true') {
    const access = await accessToken()
    if (access === undefined) return show('Your session has ended. Sign in again to send this request.', '')
    headers.Authorization = `Bearer ${access}`
  }
  const started = performance.now()
  const response = await fetch(url, {
    method,
    headers,
    credentials: credential === 'session' ? 'same-origin' : 'omit',
    ...(body === null ? {} : { body }),
  })
  const text = await response.text()
  const milliseconds = Math.round(performance.now() - started)
  const lines = shownHeaders.filter((name) => response.headers.has(name))
  show(
    `${response.status} ${response.statusText} in ${milliseconds} ms`,
    readable(text),
    lines.map((name) => `${name}: ${response.headers.get(name)}\n`).join(''),
  )
}

form.addEventListener('input', showCommand)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  answer.textContent = 'Sending …'
  send().catch((error) => show('The request could not be sent.', String(error)))
})
showCommand()
