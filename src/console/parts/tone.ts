/** Words for a state, with a colour that repeats them. */
export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'plain'
