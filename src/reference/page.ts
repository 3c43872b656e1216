/** The page that shows the API's reference. It is made of files of this host alone. W3. */
import { html } from 'hono/html'

/** `address` is the document's. */
export const referencePage = (address: string) => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Tessera – API reference</title>
    <link rel="icon" href="/favicon.svg">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <main id="reference" data-document="${address}"><noscript>This page needs JavaScript; <a href="${address}">the OpenAPI document</a> does not.</noscript></main>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/reference.js"></script>
  </body>
</html>`
