import unsafe from 'workerd:unsafe'

/** Serves tests at a socket of its own: storage, methods and end of one Durable Object. */
export default {
  async fetch(request, env) {
    const { className, name, ask } = await request.json()
    const stub = env[className].getByName(name)
    try {
      return Response.json({ answer: await OPERATIONS[ask.operation](stub, ask) })
    } catch (thrown) {
      return Response.json({ thrown: String(thrown) }, { status: 500 })
    }
  },
}

const OPERATIONS = {
  exec: (stub, { query, values }) => stub.inspectStorage(query, values),
  call: (stub, { method, args }) => stub[method](...args),
  evict: async (stub) => {
    await unsafe.evict(stub)
    return null
  },
}
