/** Hands a text to whoever looks, as a file of that name. */
export function saveText(name: string, text: string, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  link.download = name
  link.click()
  // The browser has the text by the next task.
  setTimeout(() => URL.revokeObjectURL(link.href))
}
