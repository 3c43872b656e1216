declare module 'samlp' {
  /** A request in the form of express. */
  interface Request {
    method: string
    query: Record<string, string>
    body: Record<string, string>
    user: unknown
  }
  interface Response {
    set(name: string, value: string): void
    send(body: unknown): void
  }

  const samlp: {
    auth(
      options: Record<string, unknown>,
    ): (request: Request, response: Response, next: (error: Error) => void) => void
  }
  export default samlp
}
