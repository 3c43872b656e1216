/**
 * A browser without a screen: follows redirects, keeps cookies, and fills in the forms of the certified
 * provider.
 */

const formOf = (html: string): { action: string; prompt: string } => ({
  action: /<form[^>]+action="([^"]+)"/.exec(html)?.[1] ?? '',
  prompt: /name="prompt" value="([^"]+)"/.exec(html)?.[1] ?? '',
})

/**
 * Goes from the authorization URL through login and consent. Returns the URL that the provider redirects to.
 */
export async function walkThrough(authorizationUrl: string, login: string): Promise<URL> {
  const cookies = new Map<string, string>()
  const back = new URL(authorizationUrl).searchParams.get('redirect_uri') as string
  let address = authorizationUrl
  let form: URLSearchParams | undefined
  for (let steps = 0; steps < 12; steps++) {
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: form } : {}),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    const text = await response.text()
    if (location) {
      address = new URL(location, address).href
      form = undefined
      if (address.startsWith(back)) return new URL(address)
    } else {
      const { action, prompt } = formOf(text)
      if (!prompt) throw new Error(`${response.status} at ${address}: ${text.slice(0, 300)}`)
      address = new URL(action, address).href
      form = new URLSearchParams({ prompt, ...(prompt === 'login' ? { login, password: 'any' } : {}) })
    }
  }
  throw new Error('the provider leads nowhere')
}
