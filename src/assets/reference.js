// The page of the API's reference (src/reference/page.tsx).
const place = document.getElementById('reference')
SwaggerUIBundle({
  url: place.dataset.document,
  domNode: place,
  deepLinking: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  docExpansion: 'none',
  filter: true,
})
