import type { ActionDescription, ApiDescription } from '../description.ts'
import type { LagentAction, LagentApi } from './action.ts'
import { LAGENT_ACTIONS } from './action-table.ts'
import { LAGENT_VARIANTS } from './variants.ts'

/** Action of that name. @returns undefined for one that does not come with Lagent */
export const lagentAction = (name: string): LagentAction | undefined =>
  [...LAGENT_ACTIONS, ...LAGENT_VARIANTS].find((action) => action.name === name)

/** The description as Lagent writes it, without what a parser adds. */
export function describeAction(action: LagentAction): ActionDescription {
  const { name, description, isToolkit, apis } = action
  if (isToolkit) return { name, description, api_list: apis.map(describeApi) }
  const [run] = apis
  return run ? { ...describeApi(run), name } : { name, description, parameters: [], required: [] }
}

const describeApi = ({ name, description, parameters, returned }: LagentApi): ApiDescription => ({
  name,
  description,
  parameters: parameters.map(({ name, type, description }) => ({ name, type, description })),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
  ...(returned && { return_data: returned.map((one) => ({ ...one })) }),
})
