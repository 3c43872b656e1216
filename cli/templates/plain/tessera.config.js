export default {
  environments: {
    production: { url: 'https://your-site.example.com' },
  },
}
