import * as z from 'zod'
import { OWN_TENANT_ID } from '../../../../core/ids.ts'
import { MAX_PLAN_AMOUNT, MAX_PLANS } from '../../../../core/limits/plans.ts'
import { MAX_TENANTS_USED } from '../../../../core/limits/usage.ts'
import { METERS } from '../../../../ports/plans.ts'
import { PageOf, pageQuery } from '../../../operations/page.ts'
import { Month } from '../usage.ts'

const Price = z
  .string()
  .regex(
    /^\d{1,9}(?:\.\d{1,9})?$/,
    'a decimal number such as "0.000037", with nine digits on either side of its point at most',
  )

export const PlanName = z.string().regex(OWN_TENANT_ID, '1 to 64 characters of a-z, 0-9 and "-", no "-" at either end')

const MeterTerms = z
  .strictObject({
    meter: z.enum(METERS).meta({
      description:
        'Amount that is metered, as `/admin/usage` has it; `tool_cost` is `cost` there, in whole units of the currency.',
    }),
    included: z.int().min(0).max(MAX_PLAN_AMOUNT).default(0).meta({ description: 'Part that the month includes.' }),
    price: Price.meta({ description: 'Price of `per` units above that, as a decimal number in a text.' }),
    per: z.int().min(1).max(MAX_PLAN_AMOUNT).default(1).meta({ description: 'Units that the price is for.' }),
  })
  .meta({ id: 'MeterTerms' })

const TERMS = {
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'three letters, such as "EUR"')
    .meta({ description: 'Currency of all prices of the plan; its smallest unit is a hundredth.' }),
  month: z
    .string()
    .regex(/^\d{1,9}(?:\.\d{1,2})?$/, 'a decimal number such as "49.00"')
    .meta({ description: 'Price of a month, as a decimal number in a text.' }),
}

export const PlanTerms = z
  .strictObject({
    ...TERMS,
    meters: z
      .array(MeterTerms)
      .max(METERS.length)
      .default([])
      .refine((meters) => new Set(meters.map(({ meter }) => meter)).size === meters.length, 'give each meter once'),
  })
  .meta({ id: 'PlanTerms' })

export const PlanAnswer = z
  .object({
    name: z.string(),
    ...TERMS,
    meters: z.array(z.object({ meter: z.enum(METERS), included: z.int(), price: z.string(), per: z.int() })),
  })
  .meta({ id: 'Plan' })

export const PlansQuery = z.strictObject(pageQuery(MAX_PLANS))

export const AssignPlan = z.strictObject({ plan: PlanName.nullable() }).meta({ id: 'PlanOfTenantChange' })
export const PlanOfTenant = z.object({ tenant: z.string(), plan: z.string().nullable() }).meta({ id: 'PlanOfTenant' })

export const InvoicesQuery = z.strictObject({
  month: Month,
  format: z
    .enum(['json', 'csv'])
    .optional()
    .meta({ description: 'JSON if not given. CSV has a row for each line, and the next page in the header `Link`.' }),
  ...pageQuery(MAX_TENANTS_USED),
})

const number = z.string().meta({ description: 'A decimal number.' })
const Line = z
  .object({
    item: z.enum(['month', ...METERS]).meta({ description: '`month` is the plan itself.' }),
    used: number,
    included: number,
    billed: number.meta({ description: 'What of `used` is above `included`.' }),
    price: number,
    per: z.int(),
    amount: z.string().meta({ description: '`billed` times `price` over `per`, in whole cents, half a cent up.' }),
  })
  .meta({ id: 'InvoiceLine' })

const Invoice = z
  .object({
    tenant: z.string(),
    name: z.string(),
    plan: z.string().nullable().meta({ description: 'Null for a tenant without one: it has no lines.' }),
    currency: z.string().nullable(),
    lines: z.array(Line),
    total: z
      .string()
      .nullable()
      .meta({ description: 'Sum of the lines; null when the use went with a deleted tenant.' }),
  })
  .meta({ id: 'Invoice' })

export const InvoicePage = PageOf(Invoice)
  .extend({
    month: z.string(),
    complete: z.boolean().meta({ description: 'Whether the month is over, by a day for reports that are late.' }),
  })
  .meta({ id: 'InvoicePage' })

export type Invoice = z.input<typeof Invoice>
