/** One maneuver of a route, as OSRM has it. */
export interface Maneuver {
  readonly type: string
  readonly modifier?: string | undefined
  readonly exit?: number | undefined
}

/**
 * Instruction in English for a maneuver, as OSRM sends no sentences. @param road its name and number, or ''
 * @see https://project-osrm.org/docs/v5.24.0/api/#stepmaneuver-object
 */
export function instruction({ type, modifier = '', exit }: Maneuver, road: string): string {
  const onto = road === '' ? '' : ` onto ${road}`
  const on = road === '' ? '' : ` on ${road}`
  switch (type) {
    case 'depart':
      return `Depart${on}`
    case 'arrive':
      return modifier === '' || modifier === 'straight' ? 'Arrive' : `Arrive, on the ${side(modifier)}`
    case 'merge':
      return `Merge${onto}`
    case 'on ramp':
      return `Take the ramp${onto}`
    case 'off ramp':
      return `Take the exit${onto}`
    case 'fork':
      return `Keep ${side(modifier)}${onto}`
    case 'roundabout':
    case 'rotary':
      return exit === undefined ? `Enter the roundabout${onto}` : `Take exit ${exit} of the roundabout${onto}`
    case 'exit roundabout':
    case 'exit rotary':
      return `Leave the roundabout${onto}`
    default:
      if (modifier === 'uturn') return `Turn around${onto}`
      return modifier === '' || modifier === 'straight' ? `Continue${on}` : `Turn ${modifier}${onto}`
  }
}

/** `slight left` → `left` */
const side = (modifier: string) => modifier.split(' ').at(-1) || 'straight'
