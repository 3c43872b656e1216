/**
 * SQL, Markdown, lists of words and the modules of functions' isolates are imported as text: wrangler.toml,
 * dev/bundle.ts.
 */
declare module '*.sql' {
  const text: string
  export default text
}

declare module '*/sandbox/entry.js' {
  const text: string
  export default text
}

declare module '*/sandbox/lines.js' {
  const text: string
  export default text
}

declare module '*/sandbox/mail.js' {
  const text: string
  export default text
}

declare module '*/sandbox/requests.js' {
  const text: string
  export default text
}

declare module '*/sandbox/client.js' {
  const text: string
  export default text
}

declare module '*/sandbox/load-check.js' {
  const text: string
  export default text
}

declare module '*.txt' {
  const text: string
  export default text
}

declare module '*.md' {
  const text: string
  export default text
}
