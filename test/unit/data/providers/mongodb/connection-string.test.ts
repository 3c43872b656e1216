import { describe, expect, it } from 'vitest'
import { checkConnectionString } from '../../../../../src/data/providers/mongodb/connection-string.ts'

describe('a connection string', () => {
  it.each([
    ['postgres://db.example.com', 'The secret is not a connection string: mongodb://… or mongodb+srv://…'],
    [
      'mongodb://db.example.com/?tlsAllowInvalidCertificates=true',
      'The connection string has an option that is not taken: "tlsAllowInvalidCertificates".',
    ],
    [
      'mongodb://db.example.com/?tlsCAFile=/etc/passwd',
      'The connection string has an option that is not taken: "tlsCAFile".',
    ],
    [
      'mongodb://db.example.com/?authMechanism=MONGODB-OIDC',
      'authMechanism must be one of DEFAULT, SCRAM-SHA-1, SCRAM-SHA-256, PLAIN.',
    ],
    ['mongodb://db.example.com,10.0.0.1/', 'A host of the connection string is not a public one.'],
    ['mongodb://[::1]:27017/', 'A host of the connection string is not a public one.'],
    ['mongodb://localhost/', 'A host of the connection string is not a public one.'],
    ['mongodb://db.example.com/?ssl=false', 'A public server needs TLS: omit tls=false.'],
    ['mongodb+srv://db.example.com/?tls=false', 'A public server needs TLS: omit tls=false.'],
  ])('%s is refused', (text, problem) => {
    expect(checkConnectionString(text, false)).toEqual({ problem })
  })

  it('uses TLS unless every host is private', () => {
    expect(checkConnectionString('mongodb://u:p%40x@db.example.com:27018/?w=majority', false)).toEqual({
      url: 'mongodb://u:p%40x@db.example.com:27018/?w=majority&tls=true',
      hosts: ['db.example.com'],
    })
    expect(checkConnectionString('mongodb://127.0.0.1:27017', true)).toEqual({
      url: 'mongodb://127.0.0.1:27017/',
      hosts: ['127.0.0.1'],
    })
    expect(checkConnectionString('mongodb+srv://u:p@cluster.example.com/', false)).toEqual({
      url: 'mongodb+srv://u:p@cluster.example.com/',
      hosts: [],
    })
  })
})
