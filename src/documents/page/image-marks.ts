/** Mark in a page's Markdown in the place of an image's address until the image's path is known. */
export const imageMark = (index: number) => `\uE000${index}\uE001`
export const IMAGE_MARKS = /!\[([^[\]]*)\]\(\uE000(\d+)\uE001\)/g
