const reference = document.getElementById('reference')
SwaggerUIBundle({
  domNode: reference,
  url: reference.dataset.document,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  filter: true,
  persistAuthorization: false,
  // Swagger's own server would be asked else.
  validatorUrl: null,
})
