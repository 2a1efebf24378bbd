import { type Content, GoogleGenAI } from '@google/genai'
import { definitions, geminiResults } from '../../src/client/adapters/index.ts' // yours: 'toolyard/adapters'
import { Toolyard } from '../../src/client/index.ts' // yours: 'toolyard/client'

const baseUrl = process.env.TOOLYARD_BASE_URL ?? 'http://localhost:8001'
const [task = 'Draw a picture with Python, look at it, and say what you see.', model = 'gemini-3.8-flash'] =
  process.argv.slice(2)

const toolyard = new Toolyard({ baseUrl, apiKey: process.env.TOOLYARD_API_KEY })
await using session = await toolyard.sessions.create()
const tools = await definitions(toolyard, 'gemini', { names: ['file_write', 'execute_shell', 'image_read'] })
const gemini = new GoogleGenAI({})

const contents: Content[] = [{ role: 'user', parts: [{ text: task }] }]
for (let turn = 0; turn < 20; turn++) {
  const config = { tools: [{ functionDeclarations: tools }] }
  const { text, functionCalls, candidates } = await gemini.models.generateContent({ model, contents, config })
  if (text) console.log(text)
  const results = await geminiResults(session, functionCalls)
  if (results.length === 0) break
  // The model's content goes back whole: its thoughts are signed.
  contents.push(candidates?.[0]?.content ?? {}, { role: 'user', parts: results })
}
