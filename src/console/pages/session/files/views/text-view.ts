/** Properties of each way to show a text file. */
export interface TextViewProps {
  readonly text: string
  /** The end of the file's name, in small letters. */
  readonly ending: string
}
