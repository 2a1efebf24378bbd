import * as z from 'zod'
import { textImagePage } from '../../documents/deck/pages.ts'
import { requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { addPage, begunDeck, bulletItems, bulletsOf, checkedTitle } from './deck-file.ts'
import { deckImage } from './deck-image.ts'

/** Source: Lagent, actions/ppt.py, add_text_image_page. */
export const pptAddTextImagePage = defineTool({
  name: 'ppt_add_text_image_page',
  description:
    'Add a page with a title, bullets, and an image right of them to the presentation that was begun by ppt_create_file. ' +
    'The image is a PNG, JPEG or GIF, of the task or from the web. Returns status.',
  effect: 'fetch',
  uses: ['http', 'notes', 'turn', 'workspace'],
  input: z.object({
    title: z.string().describe('Title of the page; may be empty'),
    bullet_items: bulletItems,
    image: requiredText.describe('Path of the image, relative to the task root, or its http or https URL'),
  }),

  async run({ title, bullet_items, image }, { ports, signal }) {
    const words = checkedTitle(title, 'title')
    const bullets = bulletsOf(bullet_items)
    begunDeck(ports)
    const found = await deckImage(image, ports, signal)
    return ports.turn(() => addPage(ports, textImagePage(words, bullets, found)))
  },
})
